import { expect, it } from 'vitest'
import { createMock, defineService, type ServiceDescription } from '../../src/index.js'
import { document } from '../support/library-document.js'

const opened = (description: object) =>
  createMock(defineService({ document, ...description } as ServiceDescription)).ready

it.each([
  [{ resource: {} }, 'Unknown field "resource". Did you mean "resources"?'],
  [{ operations: { removeBok: () => ({ status: 204 }) } }, 'Unknown operation "removeBok". Did you mean "removeBook"?'],
  [{ resources: { books: { path: '/books', default: {} } } }, 'Unknown field of the resource books "default".'],
  [
    { resources: { books: { path: '/books', references: { titel: 'books' } } } },
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

it('accepts every field of a description', async () => {
  const fields: Record<keyof ServiceDescription, undefined> = {
    title: undefined,
    mainResource: undefined,
    validators: undefined,
    documentResources: undefined,
    specHash: undefined,
    errors: undefined,
    error: undefined,
    resources: undefined,
    operations: undefined,
    findBrokenRules: undefined,
    createData: undefined,
    scenarios: undefined,
    loadDocument: undefined,
    document: undefined,
  }
  await expect(opened({ ...fields, document })).resolves.toBeUndefined()
})
