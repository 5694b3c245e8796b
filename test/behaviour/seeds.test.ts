import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { exportState, exportText, openClient } from '../support/client.js'
import { describeDoors } from '../support/doors.js'

interface Printed {
  timeZone: string
  locale: string
  listings: string[]
}

/** Prints the listings of a seed in a process of its own, in another part of the world. */
async function printElsewhere(seed: number, zone: string, language: string): Promise<Printed> {
  const script = fileURLToPath(new URL('../support/print-listings.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script, String(seed)], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    env: { ...process.env, TZ: zone, LANG: language, LC_ALL: language },
    maxBuffer: 16 * 1024 * 1024,
  })
  return JSON.parse(stdout)
}

describeDoors('a seed', (door) => {
  it.each([0, 1, 7, 4_294_967_296, Number.MAX_SAFE_INTEGER])('of %i gives the same world every time', async (seed) => {
    const one = await openClient(door, { seed })
    const other = await openClient(door, { seed })
    const world = await exportText(one.open)
    expect(await exportText(other.open)).toBe(world)
    one.open.petstore.reset()
    expect(await exportText(one.open)).toBe(world)
  })

  it('is 1 unless another one is given', async () => {
    const one = await openClient(door)
    const other = await openClient(door, { seed: 1, scenario: 'default' })
    expect(await exportText(other.open)).toBe(await exportText(one.open))
  })

  it('of another number gives another world', async () => {
    const worlds = new Set<string>()
    for (const seed of [0, 1, 2, 7, 8]) worlds.add(await exportText((await openClient(door, { seed })).open))
    expect(worlds.size).toBe(5)
  })

  it('of any number changes nothing in a world of fixed data', async () => {
    for (const seed of [1, 7]) {
      const { open } = await openClient(door, { seed, scenario: 'empty' })
      expect(await exportState(open)).toEqual({ categories: [], pets: [], inventory: [], orders: [] })
    }
  })

  it('gives worlds that share nothing', async () => {
    const one = await openClient(door, { seed: 7 })
    const other = await openClient(door, { seed: 7 })
    const before = await exportText(other.open)
    await one.post('/categories', { name: 'Owls' })
    await one.put('/categories/1', { name: 'Newts' })
    await one.post('/store/orders', { quantity: 3 })
    expect(await exportText(one.open)).not.toBe(before)
    expect(await exportText(other.open)).toBe(before)
  })
})

it.each([1, 7])('the seed %i gives the same bytes in every time zone and language', async (seed) => {
  const [far, near] = await Promise.all([
    printElsewhere(seed, 'Pacific/Kiritimati', 'tr_TR.UTF-8'),
    printElsewhere(seed, 'America/St_Johns', 'en_US.UTF-8'),
  ])
  expect([far.timeZone, far.locale]).toEqual(['Pacific/Kiritimati', 'tr-TR'])
  expect([near.timeZone, near.locale]).toEqual(['America/St_Johns', 'en-US'])
  expect(far.listings).toHaveLength(7)
  for (const listing of far.listings) expect(listing).toMatch(/^200 .*\[\{/)
  expect(far.listings).toEqual(near.listings)
})
