import { expect, it } from 'vitest'
import { fitReproduction } from '../../src/cli/files.js'
import type { Reproduction } from '../../src/engine/log/reproduction.js'
import { parseJson } from '../../src/lib/json.js'
import { createPetstore, petstoreService } from '../../src/petstore/service.js'
import { readReproduction } from '../../src/tools/replay/read-reproduction.js'

async function record(): Promise<Reproduction> {
  const petstore = createPetstore({ journalSize: 8 })
  petstore.clock.set('2030-01-01T00:00:00Z')
  for (let number = 1; number <= 12; number += 1) await petstore.fetch(`/pets?note=\u00e9${number}`)
  return petstore.reproduction()
}

it('writes the whole reproduction if it fits', async () => {
  const reproduction = await record()
  const { text, steps } = fitReproduction(reproduction)
  expect(steps).toEqual(reproduction.steps)
  expect(parseJson(text)).toEqual(JSON.parse(JSON.stringify(reproduction)))
  expect(Object.keys(parseJson(text) as object)).toEqual(Object.keys(reproduction))
  expect(text.endsWith('}\n')).toBe(true)
  // Exactly as large as it may be, or a little less: the count of the missing steps may get longer.
  expect(fitReproduction(reproduction, Buffer.byteLength(text) + 8).text).toBe(text)
})

it('leaves out the oldest steps of one that is too large, and counts them', async () => {
  const reproduction = await record()
  const whole = Buffer.byteLength(fitReproduction(reproduction).text)
  const none = Buffer.byteLength(fitReproduction(reproduction, 0).text)
  for (const maxBytes of [whole - 1, Math.round((whole + none) / 2), none + 8]) {
    const { text, steps } = fitReproduction(reproduction, maxBytes)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes)
    const written = readReproduction(parseJson(text), petstoreService)
    const dropped = reproduction.steps.length - steps.length
    expect(dropped).toBeGreaterThan(0)
    expect(written.missing).toBe(reproduction.missing + dropped)
    expect(written.steps).toEqual(JSON.parse(JSON.stringify(reproduction.steps.slice(dropped))))
  }
})
