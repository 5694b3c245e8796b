import type { Context } from '../../tools/verify/check.js'
import type { OwnList } from './list-pages.js'
import type { Listed } from './listed-records.js'
import { createPetstoreRecords } from './records.js'

/** Orders have no name to filter by, so they are those of one pet, which has enough units for all of them. */
export async function createListedOrders(context: Context): Promise<OwnList> {
  const { createPet, createOrder } = createPetstoreRecords(context)
  const { id: petId } = await createPet({ stock: 2_000_000_000 })
  const { newNumber } = context
  // Some of the orders must not have a date, so their quantities mark them as ours.
  const [low, middle, high] = [newNumber(), newNumber(), newNumber()].sort((a, b) => a - b)
  const records: Listed[] = []
  for (const [quantity, shipDate] of [
    [high, '2026-02-10T08:00:00.000Z'],
    [low, undefined],
    [middle, '2026-02-09T08:00:00.000Z'],
    [low, undefined],
  ] as const) {
    const fields = { petId, quantity, shipDate }
    records.push({ id: await createOrder(fields), ...fields, complete: false })
  }
  const filters = [
    ['complete', false],
    ['complete', true],
  ] as const
  return { query: `petId=${petId}`, parameter: 'petId', records, filters }
}
