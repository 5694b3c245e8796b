import { type JsonInt64, parseId, toJsonInt64 } from '../../lib/int64.js'
import { CannotCheck } from '../cannot-check.js'
import { type Kind, RESOURCES } from '../resources.js'
import type { Caller, CallResult } from './caller.js'
import { idsOf } from './listed-records.js'
import type { Fields, OwnRecords } from './own-records.js'

export interface PetOptions {
  readonly status?: 'available' | 'pending' | 'sold'
  /** Its inventory is set to this. */
  readonly stock?: number
  /** Default: a category that several checks share. */
  readonly categoryId?: JsonInt64
  readonly name?: string
}

export type RecordFactory = ReturnType<typeof createRecordFactory>

/** Creates the records that checks need, through the service itself. */
export function createRecordFactory({ call }: Caller, own: OwnRecords, allowWrites: boolean) {
  let names = 0
  /** A name that no other record has. */
  const newName = (): string => `Verify ${own.marker} ${++names}`

  async function createCategory(given: { readonly name?: string; readonly description?: string } = {}) {
    const fields = { name: newName(), ...given }
    const created = await call('createCategory', { body: fields }, { fields })
    return { id: requireId(created, 'category'), name: fields.name }
  }

  async function createPet({ status, stock, categoryId: given, name = newName() }: PetOptions = {}) {
    const categoryId = given ?? (await any('category'))
    const body = { name, categoryId, ...(status && { status }) }
    const created = await call('createPet', { body }, { fields: { ...body, status: status ?? 'available' } })
    const id = requireId(created, 'pet')
    if (stock !== undefined) {
      await call('updateInventory', { id, body: { quantity: stock } }, { fields: { petId: id, quantity: stock } })
    }
    return { id, name, categoryId }
  }

  /** An order with a date that marks it as ours, unless it is given one. Without a date it needs a marked quantity. */
  async function createOrder(given: Fields = {}) {
    const body = { shipDate: own.newDate(), ...given }
    const created = await call('createOrder', { body }, { fields: { quantity: 1, complete: false, ...body } })
    return requireId(created, 'order')
  }

  const create: Readonly<Record<Kind, () => Promise<JsonInt64>>> = {
    category: async () => (await createCategory()).id,
    pet: async () => (await createPet()).id,
    order: () => createOrder(),
  }
  const shared = new Map<Kind, JsonInt64>()

  /** The id of a record for checks that do not change it. Without writes, it is whatever the service has. */
  async function any(kind: Kind): Promise<JsonInt64> {
    const id = shared.get(kind) ?? (await (allowWrites ? create[kind]() : first(kind)))
    // Without writes it is read each time, since another client may have deleted the one before.
    if (allowWrites) shared.set(kind, id)
    return id
  }

  async function first(kind: Kind): Promise<JsonInt64> {
    const { value } = await call(RESOURCES[kind].list, { query: 'limit=1' })
    const id = parseId(idsOf(value)?.[0] ?? '')
    if (id === undefined) throw new CannotCheck(`needs a record, and there is no ${kind}`)
    return toJsonInt64(id)
  }

  const { marker, newDate, newQuantity } = own
  return { marker, newName, newDate, newQuantity, createCategory, createPet, createOrder, any }
}

function requireId({ id }: CallResult, kind: Kind): JsonInt64 {
  if (id === undefined) throw new CannotCheck(`no ${kind} could be created that reads back as it was sent`)
  return id
}
