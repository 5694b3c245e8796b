import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A folder for the files of a test file. It is deleted after the tests. */
export function useFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-mock-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  return {
    folder,
    /** Returns the path of the file. */
    createFile(name: string, content: string | Uint8Array): string {
      const file = join(folder, name)
      writeFileSync(file, content)
      return file
    },
  }
}
