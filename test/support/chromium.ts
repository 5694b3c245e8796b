import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

/** Where the system's Chromium is: `CHROMIUM_PATH`, or else the first of its usual names on the PATH. */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const { CHROMIUM_PATH, PATH = '' } = environment
  if (CHROMIUM_PATH) return CHROMIUM_PATH
  const candidates = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return candidates.find(isExecutable)
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Whether the tests that need it can run. Says so where they cannot; `CI_BROWSER=required` makes that a failure. */
export function hasChromium(): boolean {
  if (findChromium() !== undefined) return true
  const reason = 'no Chromium found (install it, or set CHROMIUM_PATH)'
  if (process.env.CI_BROWSER === 'required') throw new Error(`Browser tests cannot run: ${reason}`)
  console.log(`Browser tests skipped: ${reason}`)
  return false
}
