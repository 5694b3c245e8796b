// Writes the generated fixture files, the recipes with the default seed: `npx tsx scripts/make-fixtures.ts`.
// The other files in fixtures/ are handwritten and never changed.
// With --check nothing is written; files that differ are named and the exit code is 1.
import { readFileSync, writeFileSync } from 'node:fs'
import { parse } from 'yaml'
import { readResources } from '../src/document/resources/read-resources.js'
import { type AnyFixture, sortForFixtures } from '../src/engine/data/format.js'
import { formatFixture } from '../src/engine/data/write.js'
import { describeService } from '../src/engine/resources/describe-service.js'
import { runNow } from '../src/lib/steps.js'
import { generateScenario } from '../src/petstore/fixtures/generate.js'
import { DEFAULT_SEED, RECIPES } from '../src/petstore/fixtures/recipes.js'
import { resources } from '../src/petstore/resources.js'
import { outline } from './outline.js'

const document: object = parse(readFileSync(new URL('../spec/openapi.yaml', import.meta.url), 'utf8'))
const listed = sortForFixtures(describeService(readResources(outline(document)), resources))
const checking = process.argv.includes('--check')

for (const [name, recipe] of Object.entries(RECIPES)) {
  const file = new URL(`../fixtures/${name}.json`, import.meta.url)
  const text = formatFixture(runNow(generateScenario(recipe, DEFAULT_SEED)) as object as AnyFixture, listed)
  if (!checking) {
    writeFileSync(file, text)
    console.log(`fixtures/${name}.json written`)
  } else if (readIfExists(file) !== text) {
    console.error(`fixtures/${name}.json is out of date. Run: npx tsx scripts/make-fixtures.ts`)
    process.exitCode = 1
  }
}

function readIfExists(file: URL): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
