import { type Id, toJsonInt64 } from '../../lib/int64.js'
import type { OperationId } from '../../petstore/types.js'
import { type Check, forEachAllowed, writes } from '../check.js'
import type { Client } from '../client.js'
import type { Records } from '../records.js'

const NOT_OBJECTS = ['[]', 'null', '"text"', '1']

/** What bodies are made of: names, dates and ids that belong to verify, and an id that no record has. */
interface Parts {
  readonly name: string
  readonly shipDate: string
  readonly quantity: number
  readonly categoryId: Id
  readonly petId: Id
  readonly unknownId: number
}

/** Invalid bodies, each with one fault, which a service that accepts it would turn into a record of verify's own. */
const INVALID_PETS = ({ name, categoryId, unknownId }: Parts): string[] => [
  ...NOT_OBJECTS,
  '{}',
  `{"name":"${name}"}`,
  `{"categoryId":${categoryId}}`,
  `{"name":42,"categoryId":${categoryId}}`,
  `{"name":null,"categoryId":${categoryId}}`,
  `{"name":"${name}","categoryId":"${categoryId}"}`,
  `{"name":"${name}","categoryId":${unknownId}.5}`,
  `{"name":"${name}","categoryId":9999${unknownId}}`,
  `{"name":"${name}","categoryId":${categoryId},"status":"lost"}`,
  `{"name":"${name}","categoryId":${categoryId},"status":null}`,
]

const INVALID_CATEGORIES = ({ name }: Parts): string[] => [
  ...NOT_OBJECTS,
  '{}',
  `{"description":"${name}"}`,
  '{"name":42}',
  '{"name":null}',
  `{"name":"${name}","description":null}`,
  `{"name":"${name}","description":7}`,
]

const INVALID_ORDERS = ({ shipDate, quantity, petId, unknownId }: Parts): string[] => [
  ...NOT_OBJECTS,
  `{"shipDate":"${shipDate}","petId":"${petId}"}`,
  `{"shipDate":"${shipDate}","petId":null}`,
  `{"shipDate":"${shipDate}","petId":-9999${unknownId}}`,
  `{"shipDate":"${shipDate}","quantity":1.5}`,
  `{"shipDate":"${shipDate}","quantity":"1"}`,
  `{"shipDate":"${shipDate}","quantity":null}`,
  `{"shipDate":"${shipDate}","complete":"yes"}`,
  `{"shipDate":"${shipDate}","complete":null}`,
  `{"quantity":${quantity},"shipDate":"yesterday"}`,
  `{"quantity":${quantity},"shipDate":"2026-02-30T09:30:00Z"}`,
  `{"quantity":${quantity},"shipDate":"2026-01-01T00:00:60Z"}`,
  `{"quantity":${quantity},"shipDate":"2026-01-01"}`,
  `{"quantity":${quantity},"shipDate":null}`,
]

const INVALID_INVENTORY = (): string[] => [
  ...NOT_OBJECTS,
  '{}',
  '{"quantity":"1"}',
  '{"quantity":1.5}',
  '{"quantity":null}',
]

type FindTarget = (records: Records) => Promise<string>

const INVALID: readonly [OperationId, (parts: Parts) => string[], FindTarget?][] = [
  ['createPet', INVALID_PETS],
  ['updatePet', INVALID_PETS, async (records) => (await records.pet()).id],
  ['createCategory', INVALID_CATEGORIES],
  ['updateCategory', INVALID_CATEGORIES, async (records) => (await records.category()).id],
  ['createOrder', INVALID_ORDERS],
  ['updateOrder', INVALID_ORDERS, (records) => records.order({})],
  ['updateInventory', INVALID_INVENTORY, async (records) => (await records.pet()).id],
]

async function partsFor(client: Client, records: Records): Promise<Parts> {
  const [{ id: categoryId }, { id: petId }] = [await records.anyCategory(), await records.anyPet()]
  return {
    name: records.name(),
    shipDate: records.shipDate(),
    quantity: records.quantity(),
    categoryId,
    petId,
    unknownId: client.unknownReference,
  }
}

const EXTRAS = 'ignores an id and fields that the schema does not have'

export const bodyChecks: readonly Check[] = [
  ...INVALID.map(([operation, bodies, findTarget]) =>
    writes(operation, 'returns 400 INVALID_REQUEST for a body that breaks the schema', async (client, records) => {
      const id = await findTarget?.(records)
      await forEachAllowed(bodies(await partsFor(client, records)), (raw) =>
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
