import { type JsonInt64, parseId, toJsonInt64 } from '../../lib/int64.js'
import { CannotCheck, NoResponse, orGivenUp } from '../cannot-check.js'
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

  /**
   * The id of a record for checks that do not change it: our own if verify may write and the service can create one,
   * otherwise whatever the service has.
   */
  async function any(kind: Kind): Promise<JsonInt64> {
    // It is read each time, since another client may have deleted the one before.
    if (!allowWrites) return first(kind)
    const id = shared.get(kind) ?? (await create[kind]().catch((error) => borrow(kind, error)))
    shared.set(kind, id)
    return id
  }

  async function first(kind: Kind): Promise<JsonInt64> {
    const { value } = await call(RESOURCES[kind].list, { query: 'limit=1' })
    const id = parseId(idsOf(value)?.[0] ?? '')
    if (id === undefined) throw new CannotCheck(`needs a record, and there is no ${kind}`)
    return toJsonInt64(id)
  }

  /** The id of a record that the service has. Throws the error that says why there is none of ours if it has none. */
  async function borrow(kind: Kind, error: unknown): Promise<JsonInt64> {
    if (!(error instanceof CannotCheck) || error instanceof NoResponse) throw error
    const found = await orGivenUp(kind === 'category' ? firstCategory() : first(kind))
    if (found instanceof CannotCheck) throw error
    if (kind === 'category') own.borrowed.category = found
    return found
  }

  /** A service may have no categories but pets that refer to them. */
  async function firstCategory(): Promise<JsonInt64> {
    const listed = await orGivenUp(first('category'))
    if (!(listed instanceof CannotCheck)) return listed
    const { value } = await call('listPets', { query: 'limit=1' })
    const id = parseId(idsOf(value, 'categoryId')?.[0] ?? '')
    if (id === undefined) throw listed
    return toJsonInt64(id)
  }

  const { marker, borrowed, newDate, newQuantity } = own
  return { marker, borrowed, newName, newDate, newQuantity, createCategory, createPet, createOrder, any }
}

function requireId({ id }: CallResult, kind: Kind): JsonInt64 {
  if (id === undefined) throw new CannotCheck(`no ${kind} could be created that reads back as it was sent`)
  return id
}
