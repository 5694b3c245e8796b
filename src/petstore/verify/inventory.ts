import { CannotCheck } from '../../tools/server/cannot-check.js'
import type { JsonId } from '../../tools/server/document-requests.js'
import type { Check } from '../../tools/verify/check.js'
import { expectEmpty } from '../../tools/verify/checks/queries.js'
import { compareFields } from '../../tools/verify/compare-response.js'
import { inBody } from '../../tools/verify/findings.js'
import type { Fields } from '../../tools/verify/own-records.js'
import { itemsIn } from '../../tools/verify/resources.js'
import { isRejected, type PetstoreContext, reads, writes } from './check.js'
import { expectSorted, idsOf } from './listed-records.js'

/** The inventory has the quantity and status of every pet, and setting a quantity changes the status. */
export const inventoryChecks: readonly Check[] = [
  reads('listInventory', 'returns an empty page if nothing matches', (context) =>
    expectEmpty(context, listOf(context), 'maxQuantity', '-1'),
  ),

  reads('listInventory', 'filters by status and quantity', async (context) => {
    for (const [query, name, expected, isWrong] of [
      ['status=sold', 'status', 'sold', isStatusOtherThan('sold')],
      ['status=available&status=pending', 'status', 'available or pending', isStatusOtherThan('available', 'pending')],
      ['maxQuantity=0', 'quantity', '0 or less', (value: unknown) => typeof value === 'number' && value > 0],
    ] as const) {
      const { id, resource } = listOf(context)
      const response = await context.call(id, { query: `limit=100&${query}` })
      for (const { [name]: value } of response.asExpected ? itemsIn(resource, response.value) : []) {
        if (isWrong(value)) context.noteOn(id, response)(`body /*/${name}`, expected, String(value))
      }
    }
  }),

  reads('listInventory', 'sorts by quantity, and equal quantities by pet', async (context) => {
    for (const sort of ['quantity', '-quantity']) {
      await expectSorted(context, listOf(context), `limit=100&sort=${sort}`, sort)
    }
  }),

  writes('listInventory', 'lists the quantity and status of a pet', async (context) => {
    for (const [options, fields] of [
      [{ stock: 7 }, { quantity: 7, status: 'available' }],
      [{ status: 'sold' }, { quantity: 0, status: 'sold' }],
    ] as const) {
      const { id } = await context.createPet(options)
      await compareEntry(context, id, fields)
    }
  }),

  reads('getInventory', 'returns the entry of the pet', async ({ call, any }) => {
    const id = await any('pets')
    await call('getInventory', { id }, { fields: { petId: id } })
  }),

  writes('updateInventory', 'sets the quantity, and makes the pet available', async ({ call, createPet }) => {
    for (const status of ['sold', 'pending'] as const) {
      const { id } = await createPet({ status })
      const fields = { petId: id, quantity: 4, status: 'available' }
      await call('updateInventory', { id, body: { quantity: 4 } }, { fields })
      await call('getInventory', { id }, { fields })
      await call('getPet', { id }, { fields: { status: 'available' } })
    }
  }),

  writes('updateInventory', 'makes an available pet sold when the quantity is 0', async ({ call, createPet }) => {
    const { id } = await createPet({ stock: 2 })
    const fields = { petId: id, quantity: 0, status: 'sold' }
    await call('updateInventory', { id, body: { quantity: 0 } }, { fields })
    await call('getPet', { id }, { fields: { status: 'sold' } })
  }),

  writes('updateInventory', 'makes it pending instead if the pet has open orders', async (context) => {
    const { id } = await context.createPet({ stock: 2 })
    await context.createOrder({ petId: id })
    const fields = { quantity: 0, status: 'pending' }
    await context.call('updateInventory', { id, body: { quantity: 0 } }, { fields })
    await context.call('getPet', { id }, { fields: { status: 'pending' } })
  }),

  writes('updateInventory', 'returns 422 INVALID_QUANTITY for a negative quantity', async ({ call, createPet }) => {
    const { id } = await createPet({ stock: 2 })
    const response = await call('updateInventory', { id, body: { quantity: -1 } }, { code: 'INVALID_QUANTITY' })
    if (isRejected(response)) await call('getInventory', { id }, { fields: { quantity: 2 } })
  }),
]

const listOf = ({ resources }: PetstoreContext) => ({ id: 'listInventory', resource: resources.get('inventory') })

const isStatusOtherThan =
  (...statuses: string[]) =>
  (value: unknown): boolean =>
    typeof value === 'string' && !statuses.includes(value)

/** There is no filter for one entry, but a new pet has one of the largest ids. */
async function compareEntry(context: PetstoreContext, id: JsonId, fields: Fields): Promise<void> {
  const { call, noteOn } = context
  for (const offset of [0, 100, 200]) {
    const response = await call('listInventory', { query: `limit=100&offset=${offset}&sort=-petId` })
    const index = idsOf(listOf(context).resource, response.value)?.indexOf(String(id)) ?? -1
    if (index < 0) continue
    const noteAt = inBody(noteOn('listInventory', response))
    return compareFields((response.value as unknown[])[index], fields, noteAt, '/*')
  }
  throw new CannotCheck('needs the entry of a new pet, which is not listed among the largest ids')
}
