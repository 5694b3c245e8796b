import { readFile } from 'node:fs/promises'

/** Reads a file of the project. In a browser, `read-file-browser.ts` replaces this module. */
export function readText(path: string): Promise<string> {
  return readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
}
