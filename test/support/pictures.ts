import { readFileSync } from 'node:fs'
import { expect } from 'vitest'

/** Expects that the recorded pictures, by their path in the project, are what they would be today. */
export function expectUpToDate(pictures: readonly (readonly [path: string, svg: string])[]): void {
  for (const [path, svg] of pictures) {
    const isUpToDate = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8') === svg
    expect(isUpToDate, `${path} is out of date: run \`npm run pictures\``).toBe(true)
  }
}
