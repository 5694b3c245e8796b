import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The unit tests, those of modules with the fewest dependencies first. */
const UNITS = [
  'int64',
  'date-time',
  'target',
  'parameters',
  'json-size',
  'json-serialize',
  'json',
  'serialize',
  'equal-json',
  'id-sequence',
  'id-kinds',
  'layered-map.random',
  'sorted-list.random',
  'database',
  'replace-all',
  'indexes',
  'store.random',
  'any-record.random',
  'rules',
  'starting-data',
  'last-call-wins',
  'saved-controls',
  'saved-state',
  'reproduction',
  'second-service',
]

/** The behaviour tests of values, the store and its rules. The others would take most of the time. */
const SUBJECTS = [
  'bad-inputs-bodies*',
  'bad-inputs-dates*',
  'bad-inputs-headers*',
  'bad-inputs-ids*',
  'bad-inputs-queries*',
  'bodies',
  'categories',
  'check-and-reset',
  'custom-fixtures',
  'data',
  'inventory',
  'lists',
  'orders*',
  'parameters',
  'pets*',
  'rules-off',
  'scenarios',
  'snapshots',
  'state',
]

/**
 * The first failing test ends a mutant's run. So the quick ones run first, before others can hang in an endless loop.
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

/** The tests that run against the mutants, on one adapter. */
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
