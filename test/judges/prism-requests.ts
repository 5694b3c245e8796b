import { createRandom } from '../../src/lib/random.js'
import type { Operation } from './document.js'

/** A request to send through the proxy. */
export interface Draft {
  readonly operation: Operation
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** The status that the client requests with `Prefer`, which may be any error. */
  readonly asked: number | undefined
}

/** The existing ids, as strings. */
export type Ids = Readonly<Record<'petId' | 'categoryId' | 'orderId', readonly string[]>>

const INT64 = ['9223372036854775807', '-9223372036854775808', '9007199254740993']
/** Not the canonical notation of an int64. Without an empty one, which would be another path. */
const BAD_IDS = ['abc', '017', '+1', '1.0', '1e1', '0x10', '-0', '9223372036854775808', '%20', '1%20', '%zz', 'null']
const TEXTS = ['Biscuit', '', 'Zoë 🐕', '"quoted" \\ \n', '\u0000', '<b>', "'; --", '__proto__', 'x'.repeat(3000)]
const DATES = ['2026-03-31T09:30:00Z', '2026-03-31t09:30:00.1z', '2024-02-29T23:59:59+14:00', '0001-01-01T00:00:00Z']
const BAD_DATES = ['2026-02-30T09:30:00Z', '2026-03-31', '2026-03-31T24:00:00Z', '2016-12-31T23:59:60Z', 'soon', '']
const STATUSES = ['available', 'pending', 'sold']
/** Values in bodies. Some may be valid for a field, which adds variety. */
const WRONG_VALUES = ['null', 'true', '"1"', '1.5', '1e400', '[]', '{}', '-1', '0', '9223372036854775808', '"sold "']
const BROKEN_BODIES = ['', '{', '{"name":', '[', 'null', '"text"', '42', '[{}]', '{} {}', '{"a":1,}', "{'name':'x'}"]
const TYPES = ['application/json', 'Application/JSON', 'application/json;charset="UTF-8"']
const WRONG_TYPES = ['text/plain', 'application/x-www-form-urlencoded', 'application/merge-patch+json', 'image/png']
const ACCEPTS = ['application/json', '*/*', 'application/*;q=0.1', 'text/html, application/json;q=0.9']
const WRONG_ACCEPTS = ['application/xml', 'text/*', 'application/json;q=0', '*/*;q=0']
const ASKED = [400, 401, 403, 404, 409, 418, 429, 500, 502, 503, 504]
const WRONG_QUERIES = ['limit=0', 'limit=101', 'limit=', 'limit=1&limit=2', 'offset=-1', 'offset=1e3', 'sort=colour']
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  listPets: ['sort=-name', 'sort=categoryId', 'status=sold&status=pending', 'name=a', 'name=%F0%9F%90%95'],
  listCategories: ['sort=description', 'sort=-id', 'name=o', 'name='],
  listOrders: ['sort=-shipDate', 'sort=complete', 'complete=true', 'complete=false', 'complete=1', 'petId=x'],
  listInventory: ['sort=-quantity', 'status=available', 'maxQuantity=2', 'maxQuantity=-1', 'maxQuantity=0.5'],
}

/** Generates valid and invalid requests for all operations. The same seed and ids give the same requests. */
export function createDrafts(operations: readonly Operation[], seed: number, ids: Ids): () => Draft {
  const random = createRandom(seed, 'judges')
  const chance = (share: number): boolean => random() < share
  const below = (limit: number): number => Math.floor(random() * limit)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T

  function idOf(kind: keyof Ids): string {
    if (ids[kind].length === 0 || chance(0.1)) return pick([...INT64, '999999', '-1', '0'])
    return pick(ids[kind])
  }

  function pathOf({ path }: Operation): string {
    return path.replace(/\{(\w+)\}/g, (_, kind) => (chance(0.08) ? pick(BAD_IDS) : idOf(kind as keyof Ids)))
  }

  function queryOf({ id }: Operation): string {
    const own = QUERIES[id]
    if (!own) return chance(0.05) ? '?colour=red' : ''
    const parts = [
      ...(chance(0.4) ? [`limit=${1 + below(100)}`] : []),
      ...(chance(0.3) ? [`offset=${below(120)}`] : []),
      ...(chance(0.5) ? [pick(own)] : []),
      ...(chance(0.15) ? [pick(WRONG_QUERIES)] : []),
      ...(chance(0.1) ? [`petId=${idOf('petId')}`, `categoryId=${idOf('categoryId')}`] : []),
      ...(chance(0.1) ? ['colour=red'] : []),
    ]
    return parts.length > 0 ? `?${parts.join('&')}` : ''
  }

  /** As text, because a large int64 is not exact as a number. */
  const FIELDS: Readonly<Record<string, () => string>> = {
    name: () => JSON.stringify(pick(TEXTS)),
    description: () => JSON.stringify(pick(TEXTS)),
    categoryId: () => idOf('categoryId'),
    petId: () => idOf('petId'),
    status: () => JSON.stringify(pick(STATUSES)),
    quantity: () => pick(['1', '1', '2', '3', '0', '-1', '1.0', '2e0', '40']),
    shipDate: () => JSON.stringify(pick(chance(0.2) ? BAD_DATES : DATES)),
    complete: () => pick(['true', 'false']),
  }
  const SCHEMAS: Readonly<Record<string, readonly string[]>> = {
    NewPet: ['name', 'categoryId', 'status'],
    NewCategory: ['name', 'description'],
    Order: ['petId', 'quantity', 'shipDate', 'complete'],
    InventoryUpdate: ['quantity'],
  }

  function bodyOf(schema: string): string {
    if (chance(0.08)) return pick(BROKEN_BODIES)
    // Rarely above the limit of 1 MiB, because it is slower than all the others.
    if (chance(0.012)) return JSON.stringify({ name: 'x'.repeat(1_100_000) })
    const fields = (SCHEMAS[schema] ?? []).filter((_, index) => chance(index < 2 ? 0.93 : 0.35))
    const entries = fields.map((name) => `"${name}":${chance(0.06) ? pick(WRONG_VALUES) : FIELDS[name]?.()}`)
    if (chance(0.1)) entries.push('"colour":"red"', `"id":${idOf('petId')}`)
    return `{${entries.join(',')}}`
  }

  return () => {
    const operation = pick(operations)
    const asked = chance(0.03) ? pick(ASKED) : undefined
    const body = operation.body === undefined || chance(0.02) ? undefined : bodyOf(operation.body)
    const headers = {
      ...(asked === undefined ? {} : { prefer: `code=${asked}` }),
      ...(chance(0.25) ? { accept: pick(chance(0.2) ? WRONG_ACCEPTS : ACCEPTS) } : {}),
      ...(body === undefined || chance(0.01) ? {} : { 'content-type': pick(chance(0.04) ? WRONG_TYPES : TYPES) }),
    }
    return { operation, target: pathOf(operation) + queryOf(operation), headers, body, asked }
  }
}
