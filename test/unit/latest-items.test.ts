import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createLatestItems } from '../../src/lib/collections.js'

it('has the items of a list whose oldest are removed', () => {
  const changes = fc.array(fc.oneof({ weight: 3, arbitrary: fc.string() }, fc.constant(null)), { maxLength: 60 })
  fc.assert(
    fc.property(fc.nat(5), changes, (maxLength, given) => {
      const latest = createLatestItems<string>(maxLength)
      const list: string[] = []
      let added = 0
      for (const item of given) {
        if (item !== null) {
          latest.add(item)
          list.push(item)
          added += 1
        }
        const isTooLong = list.length > maxLength
        if (isTooLong || (item === null && list.length > 0)) expect(latest.dropOldest()).toBe(list.shift())
        expect(latest.toArray()).toEqual(list)
        expect([latest.added(), latest.dropped()]).toEqual([added, added - list.length])
      }
    }),
    { numRuns: 200 },
  )
})
