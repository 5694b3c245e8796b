import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseJson } from '../../src/lib/json.js'
import { fromColumns, toColumns } from '../../src/petstore/fixtures/columns.js'
import { DEFAULT_SEED, loadScenario, type ScenarioName } from '../../src/petstore/fixtures/scenarios.js'

it.each([
  [
    'records',
    [
      { id: 7, name: 'Rex' },
      { id: 3, name: 'Momo' },
    ],
  ],
  [
    'ids that count up',
    [
      { id: 1, name: 'Rex' },
      { id: 2, name: 'Momo' },
    ],
  ],
  ['fields that some do not have', [{ id: 1 }, { id: 2, name: 'Momo' }, { name: 'Rex' }]],
  ['large ids', [{ id: 2n ** 63n - 1n }]],
  ['no records', []],
])('%s come back as they were', (_, rows) => {
  expect(fromColumns(toColumns(rows))).toEqual(rows)
})

it('keeps ids that count up as the last of them', () => {
  expect(toColumns([{ id: 1 }, { id: 2 }])).toEqual({ id: 2 })
})

const folder = new URL('../../fixtures/', import.meta.url)
const files = readdirSync(folder).filter((file) => file.endsWith('.json'))

it.each(files)('the scenario of %s is what the file says, digit for digit', async (file) => {
  const kept = await loadScenario(file.slice(0, -'.json'.length) as ScenarioName, DEFAULT_SEED)
  expect(kept).toEqual(parseJson(readFileSync(new URL(file, folder), 'utf8')))
})
