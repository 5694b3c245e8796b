import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NodePetstore } from '../adapters/node/index.js'
import { stringifyJson } from '../lib/json.js'

const MAX_NAME = 100

/** Writes a file that repeats the requests of a failed test. A later run replaces it. */
export function saveReproduction(folder: string, test: string, petstore: Pick<NodePetstore, 'reproduction'>): void {
  const name = test.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '')
  const file = join(folder, `${name.slice(0, MAX_NAME)}.petstore.json`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, `${stringifyJson(petstore.reproduction())}\n`)
  console.error(`petstore-mock: To repeat the requests of this test: npx petstore-mock replay ${file}`)
}
