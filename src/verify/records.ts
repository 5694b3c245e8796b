import { type Id, parseId, toJsonInt64 } from '../lib/int64.js'
import type { OperationId } from '../petstore/types.js'
import type { CallResult, Client } from './client.js'
import { idsOf } from './compare-page.js'
import { CannotCheck } from './exchange.js'
import type { OwnRecords } from './own-records.js'

export interface NamedRecord {
  readonly id: Id
  readonly name: string
}

export interface PetRecord extends NamedRecord {
  readonly categoryId: Id
}

/** Creates the records that checks need, through the service itself, and keeps those that several checks can share. */
export interface Records {
  /** Is in every name. */
  readonly marker: string
  /** A name that no other record has. */
  name(): string
  /** A date that no other order has. */
  shipDate(): string
  /** A quantity that no other order has. */
  quantity(): number
  category(fields?: CategoryFields): Promise<NamedRecord>
  /** A pet of the shared category unless told otherwise. With `stock`, its inventory is set to that. */
  pet(options?: PetOptions): Promise<PetRecord>
  /** An order with a date that marks it as ours, unless it is given one. Without a date it needs a marked quantity. */
  order(fields: Readonly<Record<string, unknown>>): Promise<Id>
  /** A category for checks that do not change it. */
  anyCategory(): Promise<Pick<NamedRecord, 'id'>>
  /** A pet for checks that do not change it. */
  anyPet(): Promise<Pick<NamedRecord, 'id'>>
  /** An open order for checks that do not change it. */
  anyOrder(): Promise<Pick<NamedRecord, 'id'>>
}

export interface CategoryFields {
  readonly name?: string
  readonly description?: string
}

export interface PetOptions {
  readonly status?: 'available' | 'pending' | 'sold'
  readonly stock?: number
  readonly categoryId?: Id
  readonly name?: string
}

/** Without writes, the shared records are whatever the service has. */
export function createRecords(client: Client, own: OwnRecords, allowWrites: boolean): Records {
  let names = 0
  const records: Records = {
    marker: own.marker,
    name: () => `Verify ${own.marker} ${++names}`,
    shipDate: own.shipDate,
    quantity: own.quantity,

    async category(given = {}) {
      const fields = { name: records.name(), ...given }
      const created = await client.call('createCategory', { body: { ...fields } }, { fields: { ...fields } })
      return { id: requireId(created, 'category'), name: fields.name }
    },

    async pet({ status, stock, categoryId, name = records.name() } = {}) {
      const category = categoryId ?? (await records.anyCategory()).id
      const sent = { name, categoryId: toJsonInt64(category) }
      const body = { ...sent, ...(status && { status }) }
      const created = await client.call('createPet', { body }, { fields: { ...sent, status: status ?? 'available' } })
      const id = requireId(created, 'pet')
      if (stock !== undefined) {
        const fields = { petId: toJsonInt64(id), quantity: stock }
        await client.call('updateInventory', { id, body: { quantity: stock } }, { fields })
      }
      return { id, name, categoryId: category }
    },

    async order(given) {
      const fields = { shipDate: own.shipDate(), ...given }
      const expected = { quantity: 1, complete: false, ...fields }
      return requireId(await client.call('createOrder', { body: fields }, { fields: expected }), 'order')
    },

    anyCategory: lazy(() => records.category()),
    anyPet: lazy(() => records.pet()),
    anyOrder: lazy(async () => ({ id: await records.order({}) })),
    ...(!allowWrites && {
      anyCategory: () => first(client, 'listCategories', 'category'),
      anyPet: () => first(client, 'listPets', 'pet'),
      anyOrder: () => first(client, 'listOrders', 'order'),
    }),
  }
  return records
}

/** The first item of a list. It is read each time, since another client may have deleted the one before. */
async function first(client: Client, list: OperationId, kind: string): Promise<Pick<NamedRecord, 'id'>> {
  const { value } = await client.call(list, { query: 'limit=1' })
  const id = parseId(idsOf(value)?.[0] ?? '')
  if (id === undefined) throw new CannotCheck(`needs a record, and there is no ${kind}`)
  return { id }
}

function requireId({ id }: CallResult, kind: string): Id {
  if (id === undefined) throw new CannotCheck(`no ${kind} could be created that reads back as it was sent`)
  return id
}

/** Calls a function once, and again only if it failed. */
export function lazy<T>(create: () => Promise<T>): () => Promise<T> {
  let created: T | undefined
  return async () => {
    created ??= await create()
    return created
  }
}
