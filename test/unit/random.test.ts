import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/lib/random.js'

function draw(seed: number, purpose: string, count = 50): number[] {
  const random = createRandom(seed, purpose)
  return Array.from({ length: count }, random)
}

const SEEDS = [0, 1, 7, 4_294_967_296, Number.MAX_SAFE_INTEGER]

describe('a random source', () => {
  it.each(SEEDS)('gives the same numbers for the seed %i and a purpose every time', (seed) => {
    expect(draw(seed, 'data')).toEqual(draw(seed, 'data'))
  })

  it('gives other numbers for another seed, including adjacent seeds and those 2^32 apart', () => {
    const seeds = [...SEEDS, 2, 3, 8, 4_294_967_297, 10, 100]
    expect(new Set(seeds.map((seed) => draw(seed, 'data', 1)[0])).size).toBe(seeds.length)
  })
})

describe('the numbers of a random source', () => {
  it.each(SEEDS)('are at least 0 and less than 1 for the seed %i', (seed) => {
    expect(draw(seed, 'data', 10_000).filter((number) => !(number >= 0 && number < 1))).toEqual([])
  })

  it.each(SEEDS)('are roughly evenly distributed for the seed %i', (seed) => {
    const tenths = Array.from({ length: 10 }, () => 0)
    for (const number of draw(seed, 'data', 20_000))
      tenths[Math.floor(number * 10)] = (tenths[Math.floor(number * 10)] ?? 0) + 1
    expect(tenths).toHaveLength(10)
    // 2,000 each, give or take five standard deviations.
    expect(tenths.filter((count) => Math.abs(count - 2_000) > 215)).toEqual([])
  })
})
