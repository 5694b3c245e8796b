import type { StoreOperationId } from '../engine/contract/types.js'
import { type Id, parseId, toJsonInt64 } from '../lib/int64.js'
import { type Bench, type Call, type Outcome, Unable } from './bench.js'
import { idsOf } from './pages.js'

/** Something of our own in the service. */
export interface Own {
  readonly id: Id
  readonly name: string
}

export interface OwnPet extends Own {
  readonly categoryId: Id
}

/** Makes what the checks need, through the service itself, and keeps what several of them can share. */
export interface Stock {
  /** A name that nobody else has. */
  name(): string
  category(fields?: CategoryFields): Promise<Own>
  /** A pet of the shared category, with a stock of so many where that is given. */
  pet(options?: PetOptions): Promise<OwnPet>
  order(fields: Readonly<Record<string, unknown>>): Promise<Id>
  /** A category that stays as it is, for whoever needs just any. */
  anyCategory(): Promise<Pick<Own, 'id'>>
  /** A pet that stays as it is. */
  anyPet(): Promise<Pick<Own, 'id'>>
  /** An open order that stays as it is: for no pet, and for 1 unit. */
  anyOrder(): Promise<Id>
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

/** Where nothing may be changed, whatever the service has is looked at instead. */
export function createStock(bench: Bench, readOnly: boolean): Stock {
  let names = 0
  const stock: Stock = {
    name: () => `Verify ${bench.word} ${++names}`,

    async category(given = {}) {
      const fields = { name: stock.name(), ...given }
      const made = await bench.call('createCategory', { body: { ...fields } }, { fields: { ...fields } })
      return { id: idOf(made, 'category'), name: fields.name }
    },

    async pet({ status, stock: units, categoryId, name = stock.name() } = {}) {
      const category = categoryId ?? (await stock.anyCategory()).id
      const sent = { name, categoryId: toJsonInt64(category) }
      const call: Call = { body: { ...sent, ...(status && { status }) } }
      const made = await bench.call('createPet', call, { fields: { ...sent, status: status ?? 'available' } })
      const id = idOf(made, 'pet')
      if (units !== undefined) {
        const fields = { petId: toJsonInt64(id), quantity: units }
        await bench.call('updateInventory', { id, body: { quantity: units } }, { fields })
      }
      return { id, name, categoryId: category }
    },

    async order(fields) {
      const expected = { quantity: 1, complete: false, ...fields }
      return idOf(await bench.call('createOrder', { body: fields }, { fields: expected }), 'order')
    },

    anyCategory: keep(() => stock.category()),
    anyPet: keep(() => stock.pet()),
    anyOrder: keep(() => stock.order({})),
    ...(readOnly && {
      anyCategory: () => first(bench, 'listCategories', 'category'),
      anyPet: () => first(bench, 'listPets', 'pet'),
      anyOrder: async () => (await first(bench, 'listOrders', 'order')).id,
    }),
  }
  return stock
}

/** The first thing in a list, looked up anew each time: others may have removed the last one. */
async function first(bench: Bench, list: StoreOperationId, kind: string): Promise<Pick<Own, 'id'>> {
  const { value } = await bench.call(list, { query: 'limit=1' })
  const id = parseId(idsOf(value)?.[0] ?? '')
  if (id === undefined) throw new Unable(`it needs ${withArticle(kind)}, and there is none`)
  return { id }
}

const withArticle = (kind: string): string => `${kind === 'order' ? 'an' : 'a'} ${kind}`

function idOf({ id }: Outcome, kind: string): Id {
  if (id === undefined) throw new Unable(`it needs ${withArticle(kind)}, and none could be made`)
  return id
}

/** Made at the first use, and tried again where that failed. */
export function keep<T>(make: () => Promise<T>): () => Promise<T> {
  let made: T | undefined
  return async () => {
    made ??= await make()
    return made
  }
}
