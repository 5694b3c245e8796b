import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The tests of single modules, those first that need the least of the others. */
const UNITS = [
  'int64',
  'date-time',
  'target',
  'parameters',
  'json-size',
  'json-written',
  'json',
  'body',
  'serialize',
  'id-sequence',
  'layered-map',
  'sorted-list',
  'database',
  'replace-all',
  'indexes',
  'world',
  'rules',
]

/** What the store does by its rules. The rest of the behaviour suite would take most of the time. */
const SUBJECTS = [
  ...[
    'bodies*',
    'categories',
    'inventory',
    'lists',
    'orders*',
    'parameters',
    'pets*',
    'rules-off',
    'snapshots',
    'state',
  ],
]

/**
 * The first test that fails ends a mutant's run. So the quick ones go first, and a loop without end that a mutant makes
 * elsewhere is not waited for.
 */
class UnitsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  return moduleId.includes('/unit/') ? UNITS.indexOf(basename(moduleId, '.test.ts')) : UNITS.length
}

/** The tests that the mutants are tried against, on one adapter. */
export default defineConfig({
  resolve: {
    alias: [{ find: /^.*\/adapters-node\.js$/, replacement: fileURLToPath(new URL('adapters.ts', import.meta.url)) }],
  },
  test: {
    include: [`test/unit/{${UNITS}}.test.ts`, `test/behaviour/{${SUBJECTS}}.test.ts`],
    sequence: { sequencer: UnitsFirst },
    setupFiles: [fileURLToPath(new URL('stop-early.ts', import.meta.url))],
    isolate: false,
    testTimeout: 60_000,
  },
})
