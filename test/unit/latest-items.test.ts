import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LatestItems } from '../../src/lib/latest-items.js'

const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ add: fc.string({ minLength: 1 }) }) },
  fc.constant('drop the oldest' as const),
)

describe('the latest items', () => {
  it('are those of a Map whose oldest are deleted', () => {
    fc.assert(
      fc.property(fc.nat(5), fc.array(change, { maxLength: 60 }), (maxLength, changes) => {
        const latest = new LatestItems<string>(maxLength)
        const map = new Map<number, string>()
        let added = 0
        let dropped = 0
        const dropOldest = () => {
          dropped += 1
          expect(latest.dropOldest()).toBe(map.get(dropped))
          map.delete(dropped)
        }
        for (const each of changes) {
          if (each === 'drop the oldest') {
            if (added > dropped) dropOldest()
            else expect(latest.dropOldest()).toBeUndefined()
          } else {
            added += 1
            latest.add(each.add)
            map.set(added, each.add)
            if (latest.length > maxLength) dropOldest()
          }
          expect(latest).toMatchObject({ added, dropped, length: added - dropped })
          expect(latest.toArray()).toEqual([...map.values()])
          expect(latest.oldest).toBe(map.get(dropped + 1))
          for (let number = 0; number <= added + 1; number++) expect(latest.get(number)).toBe(map.get(number))
        }
        latest.clear()
        expect(latest).toMatchObject({ added: 0, dropped: 0, length: 0 })
        expect(latest.toArray()).toEqual([])
      }),
      { numRuns: 200 },
    )
  })
})
