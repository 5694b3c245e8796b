import { describe, expect, it } from 'vitest'
import { setupMock } from '../../src/adapters/node/index.js'
import type { OwnContext } from '../../src/engine/mock/own-handler.js'
import { createMock, defineService, type ServiceDescription } from '../../src/index.js'
import { document } from '../support/library-document.js'

const opened = (description: object) =>
  createMock(defineService({ document, ...description } as ServiceDescription)).ready

it.each([
  [{ resource: {} }, 'Unknown field "resource". Did you mean "resources"?'],
  [{ operations: { removeBok: () => ({ status: 204 }) } }, 'Unknown operation "removeBok". Did you mean "removeBook"?'],
  [{ resources: { books: { path: '/books', default: {} } } }, 'Unknown field of the resource books "default".'],
  [
    { resources: { books: { references: { titel: 'books' } } } },
    'Unknown reference of the resource books "titel". Did you mean "title"?',
  ],
  [
    { resources: { books: { path: '/books', references: { title: 'boks' } } } },
    'Unknown resource that books refer to: "boks". Did you mean "books"?',
  ],
])('rejects a service with a typo: %j', async (description, message) => {
  await expect(opened(description)).rejects.toMatchObject({
    code: 'INVALID_OPTION',
    message: expect.stringContaining(message),
  })
})

it.each([
  [{ boks: {} }, 'Unknown collection "boks". Did you mean "books"?'],
  [{ shelf: { path: '/boks' } }, 'Unknown collection "/boks". Did you mean "/books"?'],
])('rejects a service with a resource that the document lacks: %j', (resources, message) => {
  expect(() => opened({ resources })).toThrow(message)
})

it.each([
  [Promise.resolve(document), 'a promise. Add await.'],
  ['openapi.yaml', 'the text "openapi.yaml".'],
  [undefined, 'nothing.'],
  [[document], 'a list.'],
])('rejects what is no document: %s', (given, received) => {
  const calls = [() => defineService({ document: given as never }), () => createMock({ document: given as never })]
  for (const call of calls) {
    expect(call).toThrow(expect.objectContaining({ name: 'MockError', code: 'INVALID_DOCUMENT' }))
    expect(call).toThrow(`such as \`await loadDocument(file)\` returns. Received: ${received}`)
  }
})

it.each([{ document }, undefined, Promise.resolve()])('tells what setupMock needs: %s', (given) => {
  expect(() => setupMock(given as never)).toThrow('setupMock(defineService({ document }), options)')
})

it('accepts every field of a description', async () => {
  const fields: Record<keyof ServiceDescription, undefined> = {
    title: undefined,
    mainResource: undefined,
    validators: undefined,
    specHash: undefined,
    errors: undefined,
    error: undefined,
    resources: undefined,
    operations: undefined,
    states: undefined,
    authenticate: undefined,
    actions: undefined,
    findBrokenRules: undefined,
    createData: undefined,
    scenarios: undefined,
    loadDocument: undefined,
    document: undefined,
  }
  await expect(opened({ ...fields, document })).resolves.toBeUndefined()
})

it('rejects starting data with a misspelt property', async () => {
  const scenarios = { default: { books: [{ id: 1, title: 'Emma', borower: 'Ada' }] } }
  await expect(opened({ scenarios })).rejects.toMatchObject({
    code: 'INVALID_FIXTURE',
    problems: [expect.stringContaining('/books/0/borower is unknown')],
  })
})

describe('a handler that fails', () => {
  const call = async (removeBook: object) => {
    const scenarios = { default: { books: [{ id: 1, title: 'Emma' }] } }
    const mock = createMock(defineService({ document, scenarios, operations: { removeBook } } as ServiceDescription))
    await mock.ready
    const failure = await mock.fetch('/books/1', { method: 'DELETE' }).catch((error: unknown) => error)
    return { mock, failure }
  }

  it.each([
    ['throws', () => (undefined as never as { a: { b: string } }).a.b],
    ['rejects', async () => Promise.reject(new TypeError('Cannot read properties of undefined'))],
  ])('%s: the operation and the message are named', async (_, handler) => {
    const { mock, failure } = await call(handler)
    const message = 'The handler of removeBook in the service failed: TypeError: Cannot read properties of undefined'
    expect(failure).toMatchObject({
      code: 'CALLBACK_FAILED',
      message: expect.stringContaining(message),
      cause: expect.any(TypeError),
    })
    expect(failure).toMatchObject({ message: expect.stringMatching(/ \(check-description\.test\.ts:\d+\)$/) })
    expect(() => mock.check()).toThrow(message)
    const [entry] = mock.journal.entries()
    expect(entry).toMatchObject({ operation: 'removeBook', status: 500 })
    // What clients of a server get.
    expect(JSON.stringify(entry?.response)).toContain(message)
    expect(JSON.stringify(entry?.response)).not.toMatch(/bug in the mock|\bat |\/test\/|\/src\//)
  })

  it('in a function of the store: its file and line are named', async () => {
    const { failure } = await call(({ store }: OwnContext) => store.books?.replace(undefined as never))
    expect(failure).toMatchObject({ message: expect.stringMatching(/ \(check-description\.test\.ts:\d+\)$/) })
  })

  it('with an error code that the service does not have: the nearest is named', async () => {
    const fails = ({ fail }: { fail: (code: string, message: string) => object }) => {
      throw fail('RECORD_NOT_FUOND', 'No.')
    }
    const { failure } = await call(fails)
    expect(failure).toMatchObject({
      message: expect.stringMatching(/fail: Unknown error code .* Did you mean .* Add it to the errors of the service/),
    })
  })
})

it.each([1, '1'])('finds and removes the record with the id %j in a handler', async (id) => {
  const found: unknown[] = []
  const removeBook = ({ store }: OwnContext) => {
    found.push(store.books?.get(id))
    store.books?.remove(id)
    found.push(store.books?.get(id))
    return { status: 204 }
  }
  const scenarios = { default: { books: [{ id: 1, title: 'Emma' }] } }
  const mock = createMock(defineService({ document, scenarios, operations: { removeBook } } as ServiceDescription))
  await mock.ready
  expect((await mock.fetch('/books/1', { method: 'DELETE' })).status).toBe(204)
  expect(found).toMatchObject([{ id: '1', title: 'Emma' }, undefined])
  expect(mock.data.books?.all()).toEqual([])
})
