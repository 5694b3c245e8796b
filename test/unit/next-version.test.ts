import { expect, it } from 'vitest'
import { defineService, loadDocument, petstoreRules } from '../../src/index.js'
import { serveService, TEXT } from '../support/small-documents.js'

/* Other versions of the Pet Store's document. */

// biome-ignore lint/suspicious/noExplicitAny: a document that tests change
type Document = any

const current: Document = await loadDocument('spec/openapi.yaml')

function changed(change: (document: Document) => void): Document {
  const document = structuredClone(current)
  change(document)
  return document
}

const code = (expected: string) => ({ body: { code: expected } })

it('is served like any other: with generated records, and without rules', async () => {
  const { send, mock } = await serveService(defineService({ document: current }))
  expect(mock.data.pets?.all()).toHaveLength(10)
  const { body: pet } = await send('GET /pets/1')
  expect((await send('PUT /pets/1', { ...pet, status: 'sold' })).status).toBe(200)
  expect((await send('POST /store/orders', { petId: 1 })).status).toBe(201)
})

it('has the rules that a service gives it, also for what is new in it', async () => {
  const document = changed(({ components: { schemas } }) => {
    schemas.NewPet.properties.microchip = { type: 'string', pattern: '^[0-9]{15}$' }
    schemas.Order.properties.note = TEXT
  })
  const service = defineService({ document, ...petstoreRules })
  const fixtures = { categories: [{ id: 1, name: 'Dogs' }], pets: [{ id: 1, name: 'Rex', categoryId: 1 }] }
  const { send, mock } = await serveService(service, { fixtures })
  expect(mock.data.inventory?.all()).toEqual([{ petId: 1, quantity: 1, status: 'available' }])
  expect((await send('POST /store/orders', { petId: 1, note: 'Hello' })).body).toMatchObject({ note: 'Hello' })
  expect(await send('POST /store/orders', { petId: 1 })).toMatchObject(code('PET_NOT_AVAILABLE'))
  expect(await send('DELETE /pets/1')).toMatchObject(code('PET_IN_USE'))
  expect(await send('POST /pets', { name: 'Rex', categoryId: 999 })).toMatchObject(code('UNKNOWN_CATEGORY'))
  expect((await send('POST /pets', { name: 'Rex', categoryId: 1, microchip: '1' })).status).toBe(400)
})

it('names a rule whose operation is gone', async () => {
  const document = changed(({ paths }) => delete paths['/pets/{petId}'].delete)
  const opened = (operations: object) => serveService(defineService({ document, ...petstoreRules, operations }))
  await expect(opened(petstoreRules.operations)).rejects.toThrow('Unknown operation "deletePet".')
  const { deletePet: _, ...operations } = petstoreRules.operations
  const { send } = await opened(operations)
  expect((await send('DELETE /pets/1')).status).toBe(405)
})
