import { type Id, idAfter, idBefore, parseId, toJsonInt64 } from '../../lib/int64.js'
import type { ErrorCode } from '../../petstore/errors.js'
import type { OperationId } from '../../petstore/types.js'
import { type Check, reads } from '../check.js'
import type { Client } from '../client.js'
import { idsOf } from '../compare-page.js'
import { isSuccess, KINDS, RESOURCES } from '../resources.js'
import type { ServiceResponse } from '../sender.js'
import { show } from '../show.js'

/** An id that a double rounds to another, and the ends of the range. */
const LARGE_IDS = ['9007199254740993', '9223372036854775807', '9223372036854775806', '-9223372036854775808'] as Id[]

const MAX_LISTED = 3

/** Ids are exact over the whole range of 64 bits: a response is about the id in the request and no other. */
export const identifierChecks: readonly Check[] = [
  ...KINDS.map((kind) => RESOURCES[kind]).map(({ list, read, notFound }) =>
    reads(read, 'does not confuse an id with one close to it', async (client) => {
      for (const id of LARGE_IDS) await expectRecordOrNone(client, read, notFound, id)
      const query = 'limit=100&sort=-id'
      const listed = idsOf((await client.call(list, { query })).value)?.slice(0, MAX_LISTED) ?? []
      for (const id of listed.map(parseId)) {
        if (id === undefined) continue
        // Another client may have deleted it.
        const isListed = async () => idsOf((await client.call(list, { query })).value)?.includes(id)
        if (!(await expectRecordOrNone(client, read, notFound, id)) && (await isListed())) {
          await client.call(read, { id }, { fields: { id: toJsonInt64(id) } })
        }
        for (const neighbour of [idAfter(id), id.startsWith('-') ? undefined : idBefore(id)]) {
          if (neighbour !== undefined) await expectRecordOrNone(client, read, notFound, neighbour)
        }
      }
    }),
  ),

  reads('listPets', 'does not confuse a category with one close to it', async (client) => {
    await expectOnly(client, 'listPets', 'categoryId')
  }),
  reads('listOrders', 'does not confuse a pet with one close to it', async (client) => {
    await expectOnly(client, 'listOrders', 'petId')
  }),
]

/** Expects the record with this id, or none, since another client may have created it. Returns whether there is one. */
async function expectRecordOrNone({ call }: Client, read: OperationId, code: ErrorCode, id: Id): Promise<boolean> {
  const exists = (response: ServiceResponse): boolean => isSuccess(response) && !response.text.includes('"code"')
  const record = { fields: { id: toJsonInt64(id) } }
  return exists(await call(read, { id }, (response) => (exists(response) ? record : { code })))
}

async function expectOnly(client: Client, list: OperationId, name: string): Promise<void> {
  for (const id of LARGE_IDS) {
    const response = await client.call(list, { query: `${name}=${id}` })
    const items: unknown[] = response.asExpected && Array.isArray(response.value) ? response.value : []
    for (const item of items) {
      const value = (item as Record<string, unknown> | null)?.[name]
      if (value === undefined || String(value) === id) continue
      client.noteOn(list, response)(`query ${name}`, id, show(value))
    }
  }
}
