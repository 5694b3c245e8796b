// Writes the fixture files that are made by code, the recipes at the default seed: `npx tsx scripts/make-fixtures.ts`.
// The other files in fixtures/ are kept by hand and never touched.
// With --check nothing is written; a file that differs is named and the exit code is 1.
import { readFileSync, writeFileSync } from 'node:fs'
import { generateScenario } from '../src/petstore/fixtures/generate.js'
import { DEFAULT_SEED, RECIPES } from '../src/petstore/fixtures/recipes.js'
import { formatFixture } from '../src/petstore/fixtures/write.js'

const checking = process.argv.includes('--check')

for (const [name, recipe] of Object.entries(RECIPES)) {
  const file = new URL(`../fixtures/${name}.json`, import.meta.url)
  const text = formatFixture(generateScenario(recipe, DEFAULT_SEED))
  if (!checking) {
    writeFileSync(file, text)
    console.log(`fixtures/${name}.json written`)
  } else if (readIfThere(file) !== text) {
    console.error(`fixtures/${name}.json differs from what the code makes; run: npx tsx scripts/make-fixtures.ts`)
    process.exitCode = 1
  }
}

function readIfThere(file: URL): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
