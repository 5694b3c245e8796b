import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { compiledModule } from '../../src/engine/mock/compiled-module.js'
import { createMock, defineService, type ServiceDescription } from '../../src/index.js'
import { importCompiled } from '../support/compiled.js'
import { library } from '../support/library.js'
import {
  collection,
  inQuery,
  list,
  object,
  ref,
  returns,
  TEXT,
  TIME,
  takes,
  toDocument,
} from '../support/small-documents.js'

/** Every kind of code that the functions of schemas consist of. */
const NODE = object(
  {
    id: { type: 'integer', readOnly: true },
    name: { type: 'string', minLength: 2, maxLength: 4 },
    code: { type: 'string', pattern: '^[a-z"/\\\\]+$' },
    level: { type: 'integer', format: 'int32', minimum: 1 },
    size: { type: 'integer', format: 'int64' },
    day: { type: 'string', format: 'date' },
    key: { type: 'string', format: 'uuid' },
    at: { ...TIME, nullable: true },
    kind: { enum: ['leaf', 'branch', null] },
    secret: { ...TEXT, writeOnly: true },
    'it\'s "odd",\u2028{}': TEXT,
    tags: { ...list({ oneOf: [TEXT, object({ label: TEXT }, ['label'])] }), uniqueItems: true },
    children: list(ref('Node')),
    parent: { allOf: [ref('Node')], nullable: true },
  },
  ['name'],
)

const BODIES: unknown[] = [
  { name: 'ab' },
  { name: 'a', code: 'A1', level: 2 ** 31, size: 1.5, day: '2026-02-30', key: '7', at: 'now', kind: 'root' },
  { name: '\u{1f43e}\u{1f43e}', at: null, kind: null, children: [{ name: 'cd', children: [{ name: 1 }] }] },
  { name: 'ab', tags: ['a', { label: 'a' }, { label: 'a' }] },
  { name: 'ab', tags: [1], parent: {} },
  { name: 'ab', parent: null, 'it\'s "odd",\u2028{}': 1, secret: 1 },
  [],
  {},
]

const DOCUMENTS: Readonly<Record<string, object>> = {
  'of OpenAPI 3.0': toDocument(
    {
      ...collection('nodes', { record: ref('Node'), query: [inQuery('level', { type: 'integer', maximum: 3 })] }),
      '/now': {
        get: { responses: { 200: returns(ref('Node'), { headers: { 'X-Level': { schema: TEXT }, Age: {} } }) } },
      },
      '/form': { post: { ...takes(object({ a: TEXT }, ['a']), 'application/x-www-form-urlencoded'), responses: {} } },
    },
    { Node: NODE },
  ),
  'of OpenAPI 3.1': {
    ...toDocument(collection('nodes', { record: ref('Strict') }), {
      Base: object({ id: { type: ['integer', 'null'] }, name: TEXT }),
      Strict: { allOf: [ref('Base')], properties: { code: { const: 'x' } }, unevaluatedProperties: false },
    }),
    openapi: '3.1.0',
  },
}

/** All responses to the same requests, and what the journal says about them. */
async function exercise(description: ServiceDescription): Promise<unknown[]> {
  const mock = createMock(defineService(description), { validateResponses: true })
  await mock.ready
  const texts: unknown[] = []
  const send = async (path: string, init?: RequestInit) => {
    const response = await mock.fetch(path, init)
    texts.push([response.status, [...response.headers].filter(([name]) => name !== 'date'), await response.text()])
  }
  const headers = { 'content-type': 'application/json' }
  for (const body of BODIES) await send('/nodes', { method: 'POST', headers, body: JSON.stringify(body) })
  for (const path of ['/nodes', '/nodes?level=9', '/nodes/1', '/nodes/x', '/now']) await send(path)
  await send('/form', { method: 'POST', body: new URLSearchParams({ b: '1' }) })
  await send('/nodes/1', { method: 'PATCH', headers, body: '{"name":1}' })
  return [...texts, mock.journal.entries().map(({ violations }) => violations)]
}

/** As in a page that forbids `eval`. */
function forbidEval(): void {
  vi.stubGlobal(
    'Function',
    class {
      constructor() {
        expect.fail('eval is forbidden')
      }
    },
  )
  onTestFinished(() => void vi.unstubAllGlobals())
}

describe('functions that were compiled before', () => {
  it.each(Object.entries(DOCUMENTS))('give the same responses without eval, for a document %s', async (_, document) => {
    const compiled = await importCompiled(defineService({ document }) as never)
    const expected = await exercise({ document })
    expect(expected).toContainEqual([400, expect.anything(), expect.stringContaining('/name')])
    forbidEval()
    await expect(exercise({ document })).rejects.toThrow('eval is forbidden')
    expect(await exercise(compiled)).toEqual(expected)
  })

  it('can be given to a service that exists', async () => {
    const { validators } = await importCompiled(library as never)
    forbidEval()
    const mock = createMock(library.withValidators(validators))
    await mock.ready
    expect((await mock.fetch('/books/1', { method: 'DELETE' })).status).toBe(409)
    expect((await mock.fetch('/books/x')).status).toBe(400)
  })

  it('of another document are refused', async () => {
    const { validators } = await importCompiled(library as never)
    const mock = createMock(defineService({ document: Object.values(DOCUMENTS)[0] as object, validators }))
    await expect(mock.ready.then(() => mock.fetch('/nodes/1'))).rejects.toThrow('were compiled from another document')
  })

  it('have types in a module of TypeScript', async () => {
    expect(await compiledModule(library as never, { hasTypes: true })).toContain(
      'export const validators: CompiledSchemas = {',
    )
    expect(await compiledModule(library as never)).not.toContain('CompiledSchemas')
  })
})
