import { type Id, toJsonInt64 } from '../../lib/int64.js'
import type { OperationId } from '../../petstore/types.js'
import { type Check, forEachAllowed, writes } from '../check.js'
import type { Client } from '../client.js'
import type { Records } from '../records.js'

const NOT_OBJECTS = ['[]', 'null', '"text"', '1']

/**
 * Bodies with one fault each. A service that accepts one creates a record that can be recognised as ours: words in capitals
 * stand for a name, date, quantity, pet and category of ours, and for an id that no record has.
 */
const INVALID_PETS = [
  ...NOT_OBJECTS,
  '{}',
  '{"name":"NAME"}',
  '{"categoryId":CATEGORY}',
  '{"name":42,"categoryId":CATEGORY}',
  '{"name":null,"categoryId":CATEGORY}',
  '{"name":"NAME","categoryId":"CATEGORY"}',
  '{"name":"NAME","categoryId":UNKNOWN.5}',
  '{"name":"NAME","categoryId":9999UNKNOWN}',
  '{"name":"NAME","categoryId":CATEGORY,"status":"lost"}',
  '{"name":"NAME","categoryId":CATEGORY,"status":null}',
]

const INVALID_CATEGORIES = [
  ...NOT_OBJECTS,
  '{}',
  '{"description":"NAME"}',
  '{"name":42}',
  '{"name":null}',
  '{"name":"NAME","description":null}',
  '{"name":"NAME","description":7}',
]

const INVALID_ORDERS = [
  ...NOT_OBJECTS,
  '{"shipDate":"DATE","petId":"PET"}',
  '{"shipDate":"DATE","petId":null}',
  '{"shipDate":"DATE","petId":-9999UNKNOWN}',
  '{"shipDate":"DATE","quantity":1.5}',
  '{"shipDate":"DATE","quantity":"1"}',
  '{"shipDate":"DATE","quantity":null}',
  '{"shipDate":"DATE","complete":"yes"}',
  '{"shipDate":"DATE","complete":null}',
  '{"quantity":QUANTITY,"shipDate":"yesterday"}',
  '{"quantity":QUANTITY,"shipDate":"2026-02-30T09:30:00Z"}',
  '{"quantity":QUANTITY,"shipDate":"2026-01-01T00:00:60Z"}',
  '{"quantity":QUANTITY,"shipDate":"2026-01-01"}',
  '{"quantity":QUANTITY,"shipDate":null}',
]

const INVALID_INVENTORY = [...NOT_OBJECTS, '{}', '{"quantity":"1"}', '{"quantity":1.5}', '{"quantity":null}']

type FindTarget = (records: Records) => Promise<Id>

const INVALID: readonly [OperationId, readonly string[], FindTarget?][] = [
  ['createPet', INVALID_PETS],
  ['updatePet', INVALID_PETS, async (records) => (await records.pet()).id],
  ['createCategory', INVALID_CATEGORIES],
  ['updateCategory', INVALID_CATEGORIES, async (records) => (await records.category()).id],
  ['createOrder', INVALID_ORDERS],
  ['updateOrder', INVALID_ORDERS, (records) => records.order({})],
  ['updateInventory', INVALID_INVENTORY, async (records) => (await records.pet()).id],
]

async function fillIn(bodies: readonly string[], client: Client, records: Records): Promise<string[]> {
  const values: Readonly<Record<string, unknown>> = {
    NAME: records.name(),
    DATE: records.shipDate(),
    QUANTITY: records.quantity(),
    CATEGORY: (await records.anyCategory()).id,
    PET: (await records.anyPet()).id,
    UNKNOWN: client.unknownReference,
  }
  return bodies.map((body) => body.replaceAll(/[A-Z]{3,}/g, (word) => String(values[word])))
}

const EXTRAS = 'ignores an id and fields that the schema does not have'

export const bodyChecks: readonly Check[] = [
  ...INVALID.map(([operation, bodies, findTarget]) =>
    writes(operation, 'returns 400 INVALID_REQUEST for a body that breaks the schema', async (client, records) => {
      const id = await findTarget?.(records)
      await forEachAllowed(await fillIn(bodies, client, records), (raw) =>
        client.call(operation, { raw, ...(id !== undefined && { id }) }, { code: 'INVALID_REQUEST' }),
      )
    }),
  ),

  ...(['updatePet', 'updateCategory', 'updateOrder', 'updateInventory'] as const).map((operation) =>
    writes(operation, 'validates the body before it looks for the record', async ({ call, unknownId }) => {
      await call(operation, { id: unknownId, raw: '[]' }, { code: 'INVALID_REQUEST' })
    }),
  ),

  writes('createCategory', EXTRAS, async (client, records) => {
    const [id, name] = [client.newUnknownId(), records.name()]
    const raw = `{"id":${id},"name":"${name}","colour":"red","__proto__":{"description":"no"}}`
    const fields = { name, colour: undefined, description: undefined }
    const created = await client.call('createCategory', { raw }, { fields })
    if (created.id === String(id))
      client.noteOn('createCategory', created)('body /id', 'an id that the service chose', String(id))
  }),

  writes('createPet', EXTRAS, async (client, records) => {
    const [id, name] = [client.newUnknownId(), records.name()]
    const categoryId = toJsonInt64((await records.anyCategory()).id)
    const body = { id, name, categoryId, colour: 'red' }
    const created = await client.call('createPet', { body }, { fields: { name, categoryId, colour: undefined } })
    if (created.id === String(id))
      client.noteOn('createPet', created)('body /id', 'an id that the service chose', String(id))
  }),

  writes('createPet', 'accepts every JSON spelling of an integer, and UTF-8', async ({ call }, records) => {
    const { id } = await records.anyCategory()
    const name = `${records.name()} ☂ 🐈`
    const raw = `{"name":${JSON.stringify(name)},"categoryId":${id}.0}`
    const headers = { 'Content-Type': 'application/json; charset="UTF-8"' }
    await call('createPet', { raw, headers }, { fields: { name, categoryId: toJsonInt64(id) } })
  }),
]
