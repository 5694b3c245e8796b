/** Generates the JSON Schemas of the files that users write, for their editors. `npm run generate` writes them; a test compares. */
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parse } from 'yaml'
import { fixtureSchema } from './fixture-schema.js'
import { reproductionSchema } from './reproduction-schema.js'

const root = new URL('../', import.meta.url)

/** Every schema by its path in the project. */
export function generateSchemas(): ReadonlyMap<string, string> {
  const readDocument = (name: string): object => parse(readFileSync(new URL(`spec/${name}.yaml`, root), 'utf8'))
  return new Map([
    ['spec/fixture.schema.json', fixtureSchema(readDocument('openapi'))],
    ['spec/reproduction.schema.json', reproductionSchema(readDocument('admin'))],
  ])
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [path, text] of generateSchemas()) writeFileSync(new URL(path, root), text)
}
