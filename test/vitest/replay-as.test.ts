import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { startServer } from '../../src/adapters/server/index.js'
import type { RecordedExchange, Reproduction } from '../../src/engine/reproduction/reproduction.js'
import { parseJson, stringifyJson } from '../../src/lib/json.js'
import { connect } from '../../src/remote/client/index.js'
import { type SnippetKind, toSnippet } from '../../src/snippets/index.js'
import { recordRun } from '../support/recorded-run.js'

const VITEST = new URL('../../src/vitest/index.ts', import.meta.url).pathname
const artefacts = fileURLToPath(new URL('../../artefacts', import.meta.url))
mkdirSync(artefacts, { recursive: true })
const folder = mkdtempSync(join(artefacts, 'replay-as-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A reproduction as it is read from a file. */
async function saveRun(name: string, options = {}) {
  const text = stringifyJson((await recordRun(options)).reproduction()) as string
  const file = join(folder, `${name}.petstore.json`)
  writeFileSync(file, text)
  const reproduction = parseJson(text) as Reproduction
  const exchanges = reproduction.steps.filter((step) => 'request' in step)
  const write = (kind: SnippetKind, selected: readonly RecordedExchange[]) =>
    toSnippet(kind, reproduction, selected, { base: '', file })
  /** As the dashboard does, which has no file. */
  const writeInline = (kind: SnippetKind, selected: readonly RecordedExchange[]) =>
    toSnippet(kind, reproduction, selected, { base: '' })
  return { exchanges, write, writeInline }
}

const generated = await saveRun('generated', { seed: 7, scenario: 'busy', delay: 1, failOn: ['violation'] })
const fixtures = {
  categories: [{ id: 1, name: 'Dogs' }],
  pets: [1, 2].map((id) => ({ id, name: 'Rex', categoryId: 1 })),
}
const small = await saveRun('small', { fixtures, rules: 'off' })
const categories = Array.from({ length: 500 }, (_, index) => ({ id: index + 1, name: `No ${index}` }))
const large = await saveRun('large', { fixtures: { ...fixtures, categories } })

const SELECTIONS = [
  ['all requests', generated, generated.exchanges],
  ['some requests', generated, generated.exchanges.slice(4, 14)],
  ['the last request', generated, generated.exchanges.slice(-1)],
  ['small starting data', small, small.exchanges],
  ['large starting data', large, large.exchanges],
  ['large starting data without a file', { write: large.writeInline }, large.exchanges],
] as const

// Declares the generated tests in this file, so that this vitest runs them.
for (const [index, [name, { write }, selected]] of SELECTIONS.entries()) {
  const code = write('vitest', selected)
  const file = join(folder, `${index}.ts`)
  writeFileSync(file, code.replace(`'petstore-mock/vitest'`, JSON.stringify(VITEST)))
  await describe(`as a test for vitest: ${name}`, () => import(/* @vite-ignore */ file))
}

describe('as a test for Playwright', () => {
  it.each(SELECTIONS)('%s', async (_, { write }, selected) => {
    const code = write('playwright', selected)
    expect(code).toMatch(
      /^(?:import { readFileSync } from 'node:fs'\n)?import { expect, test } from 'petstore-mock\/playwright'\n/,
    )
    const body = code.replaceAll(/^import .*$/gm, '')
    let options = {}
    const tests: ((fixtures: object) => Promise<void>)[] = []
    const test = Object.assign((_title: string, run: (fixtures: object) => Promise<void>) => tests.push(run), {
      use: (given: { petstoreOptions: object }) => {
        options = given.petstoreOptions
      },
    })
    const { readFileSync } = await import('node:fs')
    new Function('expect', 'test', 'readFileSync', body)(expect, test, readFileSync)
    expect(tests).toHaveLength(1)
    await using server = await startServer({ port: 0, ...options })
    const petstore = connect(server.url, { sandbox: 'test' })
    for (const run of tests) await run({ petstore })
    await petstore.check()
  })
})

describe('the code', () => {
  it('contains no secret, says what is missing, and reads large data from the file', () => {
    const code = generated.write('vitest', generated.exchanges)
    expect(code).not.toContain('Bearer')
    expect(code).toContain('// The header authorization is a secret. Add it yourself.')
    expect(code).toContain('// Without its delay of 5 to 6 ms, so that the test is quick.')
    expect(code).not.toContain('failOn')
    expect(small.write('vitest', small.exchanges.slice(-1))).not.toContain('readFileSync')
    expect(large.write('vitest', large.exchanges.slice(-1))).toContain('reproduction.start.state')
  })

  it('contains large data if there is no file', () => {
    const code = large.writeInline('vitest', large.exchanges.slice(-1))
    expect(code).not.toContain('readFileSync')
    expect(code).toContain(`{ id: 500, name: 'No 499' }`)
  })
})
