import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NodePetstore } from '../adapters/node/index.js'
import { stringifyJson } from '../lib/json.js'

/** Writes a file that repeats the requests of a failed test. A later run replaces it. */
export function saveReproduction(folder: string, test: string, petstore: Pick<NodePetstore, 'reproduction'>): void {
  const file = join(folder, `${toFileName(test)}.petstore.json`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, `${stringifyJson(petstore.reproduction())}\n`)
  console.error(`petstore-mock: To repeat the requests of this test: npx petstore-mock replay ${file}`)
}

/** File systems limit a name in bytes, most of them to 255. */
const MAX_BYTES = 100

/** The end of the test's full name, which starts with its file, and a hash, since other tests may have the same end. */
function toFileName(test: string): string {
  const end = Buffer.from(test).subarray(-MAX_BYTES).toString()
  const hash = createHash('sha256').update(test).digest('hex').slice(0, 8)
  // Half a character at the cut is decoded as U+FFFD, which is no letter.
  return `${end} ${hash}`.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replace(/^-/, '')
}
