import type { StoreOperationId } from '../../engine/contract/types.js'
import { toJsonInt64 } from '../../lib/int64.js'
import { type Check, writes } from '../check.js'
import type { Stock } from '../stock.js'

const NOT_OBJECTS = ['[]', 'null', '"text"', '1']

const BROKEN_PETS = [
  ...NOT_OBJECTS,
  '{}',
  '{"name":"Verify"}',
  '{"categoryId":1}',
  '{"name":42,"categoryId":1}',
  '{"name":null,"categoryId":1}',
  '{"name":"Verify","categoryId":"1"}',
  '{"name":"Verify","categoryId":1.5}',
  '{"name":"Verify","categoryId":9223372036854775808}',
  '{"name":"Verify","categoryId":1,"status":"lost"}',
  '{"name":"Verify","categoryId":1,"status":null}',
]

const BROKEN_CATEGORIES = [
  ...NOT_OBJECTS,
  '{}',
  '{"description":"Verify"}',
  '{"name":42}',
  '{"name":null}',
  '{"name":"Verify","description":null}',
  '{"name":"Verify","description":7}',
]

const BROKEN_ORDERS = [
  ...NOT_OBJECTS,
  '{"petId":"1"}',
  '{"petId":null}',
  '{"petId":-9223372036854775809}',
  '{"quantity":1.5}',
  '{"quantity":"1"}',
  '{"quantity":null}',
  '{"complete":"yes"}',
  '{"complete":null}',
  '{"shipDate":"yesterday"}',
  '{"shipDate":"2026-02-30T09:30:00Z"}',
  '{"shipDate":"2026-01-01T00:00:60Z"}',
  '{"shipDate":"2026-01-01"}',
  '{"shipDate":null}',
]

const BROKEN_STOCK = [...NOT_OBJECTS, '{}', '{"quantity":"1"}', '{"quantity":1.5}', '{"quantity":null}']

type Way = (stock: Stock) => Promise<string>

const BROKEN: readonly [StoreOperationId, readonly string[], Way?][] = [
  ['createPet', BROKEN_PETS],
  ['updatePet', BROKEN_PETS, async (stock) => (await stock.anyPet()).id],
  ['createCategory', BROKEN_CATEGORIES],
  ['updateCategory', BROKEN_CATEGORIES, async (stock) => (await stock.anyCategory()).id],
  ['createOrder', BROKEN_ORDERS],
  ['updateOrder', BROKEN_ORDERS, (stock) => stock.anyOrder()],
  ['updateInventory', BROKEN_STOCK, async (stock) => (await stock.anyPet()).id],
]

export const bodyChecks: readonly Check[] = [
  ...BROKEN.map(([operation, bodies, way]) =>
    writes(operation, 'answers 400 INVALID_REQUEST for a body that breaks the schema', async (bench, stock) => {
      const id = await way?.(stock)
      for (const raw of bodies) {
        await bench.call(operation, { raw, ...(id !== undefined && { id }) }, { code: 'INVALID_REQUEST' })
      }
    }),
  ),

  ...(['updatePet', 'updateCategory', 'updateOrder', 'updateInventory'] as const).map((operation) =>
    writes(operation, 'looks at the body before it looks for the object', async (bench) => {
      await bench.call(operation, { id: bench.unknownId, raw: '[]' }, { code: 'INVALID_REQUEST' })
    }),
  ),

  writes('createCategory', 'drops members that the schema does not know, and ignores an id', async (bench, stock) => {
    const name = stock.name()
    const raw = `{"id":77,"name":${JSON.stringify(name)},"colour":"red","__proto__":{"description":"no"}}`
    const made = await bench.call(
      'createCategory',
      { raw },
      { fields: { name, colour: undefined, description: undefined } },
    )
    if (made.id === '77') bench.differ('createCategory', made)('body /id', 'an id of its own choice', '77')
  }),

  writes('createPet', 'drops members that the schema does not know, and ignores an id', async (bench, stock) => {
    const categoryId = toJsonInt64((await stock.anyCategory()).id)
    const body = { id: BigInt(bench.unknownId), name: stock.name(), categoryId, colour: 'red' }
    const fields = { name: body.name, categoryId, colour: undefined }
    const made = await bench.call('createPet', { body }, { fields })
    if (made.id === bench.unknownId) bench.differ('createPet', made)('body /id', 'an id of its own choice', made.id)
  }),

  writes('createPet', 'takes any spelling of a JSON integer, and of UTF-8', async (bench, stock) => {
    const { id } = await stock.anyCategory()
    const name = `${stock.name()} ☂ 🐈`
    const raw = `{"name":${JSON.stringify(name)},"categoryId":${id}.0}`
    const headers = { 'Content-Type': 'application/json; charset="UTF-8"' }
    await bench.call('createPet', { raw, headers }, { fields: { name, categoryId: toJsonInt64(id) } })
  }),
]
