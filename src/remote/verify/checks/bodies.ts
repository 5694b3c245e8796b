import type { JsonInt64 } from '../../../lib/int64.js'
import { stringifyJson } from '../../../lib/json.js'
import type { OperationId } from '../../../petstore/types.js'
import { type Check, type Context, forEachAllowed, writes } from '../check.js'

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

type FindTarget = (context: Context) => Promise<JsonInt64>

const INVALID: readonly [OperationId, readonly string[], FindTarget?][] = [
  ['createPet', INVALID_PETS],
  ['updatePet', INVALID_PETS, async ({ createPet }) => (await createPet()).id],
  ['createCategory', INVALID_CATEGORIES],
  ['updateCategory', INVALID_CATEGORIES, async ({ createCategory }) => (await createCategory()).id],
  ['createOrder', INVALID_ORDERS],
  ['updateOrder', INVALID_ORDERS, ({ createOrder }) => createOrder()],
  ['updateInventory', INVALID_INVENTORY, async ({ createPet }) => (await createPet()).id],
]

async function fillIn(bodies: readonly string[], context: Context): Promise<string[]> {
  const values: Readonly<Record<string, unknown>> = {
    NAME: context.newName(),
    DATE: context.newDate(),
    QUANTITY: context.newQuantity(),
    CATEGORY: await context.any('category'),
    PET: await context.any('pet'),
    UNKNOWN: context.unknownReference,
  }
  return bodies.map((body) => body.replaceAll(/[A-Z]{3,}/g, (word) => String(values[word])))
}

/** Expects that a new record has none of the members in `extras`, nor the id that is sent. */
function extrasCheck(operation: 'createCategory' | 'createPet', extras: string, absent: readonly string[]): Check {
  return writes(operation, 'ignores an id and fields that the schema does not have', async (context) => {
    const [id, name] = [context.newUnknownId(), context.newName()]
    const required = { name, ...(operation === 'createPet' && { categoryId: await context.any('category') }) }
    const raw = `{"id":${id},${stringifyJson(required)?.slice(1, -1)},${extras}}`
    const fields = { ...required, ...Object.fromEntries(absent.map((each) => [each, undefined])) }
    const created = await context.call(operation, { raw }, { fields })
    if (created.id !== id) return
    context.noteOn(operation, created)('body /id', 'an id that the service chose', String(id))
  })
}

/** Which bodies are rejected or accepted, and what of them is stored. */
export const bodyChecks: readonly Check[] = [
  ...INVALID.map(([operation, bodies, findTarget]) =>
    writes(operation, 'returns 400 INVALID_REQUEST for a body that breaks the schema', async (context) => {
      const id = await findTarget?.(context)
      await forEachAllowed(await fillIn(bodies, context), (raw) =>
        context.call(operation, { raw, ...(id !== undefined && { id }) }, { code: 'INVALID_REQUEST' }),
      )
    }),
  ),

  ...(['updatePet', 'updateCategory', 'updateOrder', 'updateInventory'] as const).map((operation) =>
    writes(operation, 'validates the body before it looks for the record', async ({ call, unknownId }) => {
      await call(operation, { id: unknownId, raw: '[]' }, { code: 'INVALID_REQUEST' })
    }),
  ),

  extrasCheck('createCategory', '"colour":"red","__proto__":{"description":"no"}', ['colour', 'description']),
  extrasCheck('createPet', '"colour":"red"', ['colour']),

  writes('createPet', 'accepts every JSON spelling of an integer, and UTF-8', async ({ call, any, newName }) => {
    const categoryId = await any('category')
    const name = `${newName()} ☂ 🐈`
    const raw = `{"name":${JSON.stringify(name)},"categoryId":${categoryId}.0}`
    const headers = { 'Content-Type': 'application/json; charset="UTF-8"' }
    await call('createPet', { raw, headers }, { fields: { name, categoryId } })
  }),
]
