// Writes the fixture files that are made by code: `npx tsx scripts/make-fixtures.ts`.
// With --check nothing is written; a file that differs is named and the exit code is 1.
import { readFileSync, writeFileSync } from 'node:fs'
import type { Fixture } from '../src/fixtures/format.js'
import { defaultWorld } from '../src/fixtures/generate.js'
import { formatFixture } from '../src/fixtures/write.js'

const worlds: Record<string, Fixture> = {
  'default.json': defaultWorld(1),
  'empty.json': {
    description: 'A pet store before its first delivery: no categories, no pets, no orders.',
    categories: [],
    pets: [],
    inventory: [],
    orders: [],
  },
}

const checking = process.argv.includes('--check')

for (const [name, world] of Object.entries(worlds)) {
  const file = new URL(`../fixtures/${name}`, import.meta.url)
  const text = formatFixture(world)
  if (!checking) {
    writeFileSync(file, text)
    console.log(`fixtures/${name} written`)
  } else if (readIfThere(file) !== text) {
    console.error(`fixtures/${name} differs from what the code makes; run: npx tsx scripts/make-fixtures.ts`)
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
