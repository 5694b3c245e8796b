import { readFile } from 'node:fs/promises'

/** The text of a file of the project, by its path from the root. A browser asks the test runner for it. */
export function readText(path: string): Promise<string> {
  return readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
}
