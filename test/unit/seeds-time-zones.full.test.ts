import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

interface Printed {
  timeZone: string
  locale: string
  listings: string[]
}

/** Prints the lists of a seed in a separate process with this time zone and language. */
async function printInProcess(seed: number, zone: string, language: string): Promise<Printed> {
  const script = fileURLToPath(new URL('../support/print-listings.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script, String(seed)], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    env: { ...process.env, TZ: zone, LANG: language, LC_ALL: language },
    maxBuffer: 16 * 1024 * 1024,
  })
  return JSON.parse(stdout)
}

it.each([1, 7])('the seed %i gives the same bytes in every time zone and language', async (seed) => {
  const [far, near] = await Promise.all([
    printInProcess(seed, 'Pacific/Kiritimati', 'tr_TR.UTF-8'),
    printInProcess(seed, 'America/St_Johns', 'en_US.UTF-8'),
  ])
  expect([far.timeZone, far.locale]).toEqual(['Pacific/Kiritimati', 'tr-TR'])
  expect([near.timeZone, near.locale]).toEqual(['America/St_Johns', 'en-US'])
  expect(far.listings).toHaveLength(7)
  for (const listing of far.listings) expect(listing).toMatch(/^200 .*\[\{/)
  expect(far.listings).toEqual(near.listings)
})
