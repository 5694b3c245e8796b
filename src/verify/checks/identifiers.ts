import type { ErrorCode } from '../../engine/contract/errors.js'
import type { StoreOperationId } from '../../engine/contract/types.js'
import { type Id, idAfter, idBefore, parseId, toJsonInt64 } from '../../lib/int64.js'
import type { Bench } from '../bench.js'
import { type Check, reads } from '../check.js'
import { show } from '../differ.js'
import { idsOf } from '../pages.js'
import type { Answer } from '../sender.js'

interface Kind {
  readonly list: StoreOperationId
  readonly get: StoreOperationId
  readonly unknown: ErrorCode
}

const KINDS: readonly Kind[] = [
  { list: 'listPets', get: 'getPet', unknown: 'PET_NOT_FOUND' },
  { list: 'listCategories', get: 'getCategory', unknown: 'CATEGORY_NOT_FOUND' },
  { list: 'listOrders', get: 'getOrder', unknown: 'ORDER_NOT_FOUND' },
]

/** Where a double takes one integer for the next, and the ends of the range. */
const FAR = ['9007199254740993', '9223372036854775807', '9223372036854775806', '-9223372036854775808'] as Id[]

const MOST_LISTED = 3

/** Ids are exact over the whole range: an answer is about the id that was asked for, and about no other. */
export const identifierChecks: readonly Check[] = [
  ...KINDS.map(({ list, get, unknown }) =>
    reads(get, 'never takes an id for its neighbour', async (bench) => {
      for (const id of FAR) await expectItself(bench, get, unknown, id)
      const query = 'limit=100&sort=-id'
      const listed = idsOf((await bench.call(list, { query })).value)?.slice(0, MOST_LISTED) ?? []
      for (const id of listed.map(parseId)) {
        if (id === undefined) continue
        // Somebody may have removed it meanwhile.
        const isListed = async () => idsOf((await bench.call(list, { query })).value)?.includes(id)
        if (!(await expectItself(bench, get, unknown, id)) && (await isListed())) {
          await bench.call(get, { id }, { fields: { id: toJsonInt64(id) } })
        }
        for (const neighbour of [idAfter(id), id.startsWith('-') ? undefined : idBefore(id)]) {
          if (neighbour !== undefined) await expectItself(bench, get, unknown, neighbour)
        }
      }
    }),
  ),

  reads('listPets', 'never takes a category for its neighbour', async (bench) => {
    await expectOnly(bench, 'listPets', 'categoryId')
  }),
  reads('listOrders', 'never takes a pet for its neighbour', async (bench) => {
    await expectOnly(bench, 'listOrders', 'petId')
  }),
]

/** The object with this id, or none: somebody else may have it. */
async function expectItself({ call }: Bench, get: StoreOperationId, unknown: ErrorCode, id: Id): Promise<boolean> {
  const isThere = ({ status, text }: Answer): boolean => status >= 200 && status < 300 && !text.includes('"code"')
  const itself = { fields: { id: toJsonInt64(id) } }
  return isThere(await call(get, { id }, (answer) => (isThere(answer) ? itself : { code: unknown })))
}

async function expectOnly(bench: Bench, list: StoreOperationId, name: string): Promise<void> {
  for (const id of FAR) {
    const answer = await bench.call(list, { query: `${name}=${id}` })
    const items: unknown[] = answer.asExpected && Array.isArray(answer.value) ? answer.value : []
    for (const item of items) {
      const value = (item as Record<string, unknown> | null)?.[name]
      if (value === undefined || String(value) === id) continue
      bench.differ(list, answer)(`query ${name}`, id, show(value))
    }
  }
}
