import { type Id, idAfter, idBefore, parseId, toJsonInt64 } from '../../../lib/int64.js'
import { show } from '../../differences.js'
import { KINDS, type Kind, NOT_FOUND, RESOURCES } from '../../resources.js'
import { isSuccess, objectsIn, type ServiceResponse } from '../../service-response.js'
import { type Check, type Context, reads } from '../check.js'
import { idsOf } from '../listed-records.js'

/** An id that a double rounds to another, and the ends of the range. */
const LARGE_IDS = ['9007199254740993', '9223372036854775807', '9223372036854775806', '-9223372036854775808'] as Id[]

const MAX_LISTED = 3

/** Ids are exact over the whole range of 64 bits: a response is about the id in the request and no other. */
export const identifierChecks: readonly Check[] = [
  ...KINDS.map((kind) =>
    reads(RESOURCES[kind].read, 'does not confuse an id with one close to it', async (context) => {
      const { list, read } = RESOURCES[kind]
      const listIds = async () => idsOf((await context.call(list, { query: 'limit=100&sort=-id' })).value) ?? []
      for (const id of LARGE_IDS) await expectRecordOrNone(context, kind, id)
      for (const id of (await listIds()).slice(0, MAX_LISTED).map(parseId)) {
        if (id === undefined) continue
        // Another client may have deleted it.
        if (!(await expectRecordOrNone(context, kind, id)) && (await listIds()).includes(id)) {
          await context.call(read, { id }, { fields: { id: toJsonInt64(id) } })
        }
        for (const neighbour of [idAfter(id), id.startsWith('-') ? undefined : idBefore(id)]) {
          if (neighbour !== undefined) await expectRecordOrNone(context, kind, neighbour)
        }
      }
    }),
  ),

  ...(
    [
      ['listPets', 'categoryId', 'does not confuse a category with one close to it'],
      ['listOrders', 'petId', 'does not confuse a pet with one close to it'],
    ] as const
  ).map(([list, parameter, name]) =>
    reads(list, name, async ({ call, noteOn }) => {
      for (const id of LARGE_IDS) {
        const response = await call(list, { query: `${parameter}=${id}` })
        for (const { [parameter]: value } of response.asExpected ? objectsIn(response.value) : []) {
          if (value === undefined || String(value) === id) continue
          noteOn(list, response)(`query ${parameter}`, id, show(value))
        }
      }
    }),
  ),
]

/** Expects the record with this id, or none, since another client may have created it. Returns whether there is one. */
async function expectRecordOrNone({ call }: Context, kind: Kind, id: Id): Promise<boolean> {
  const exists = (response: ServiceResponse): boolean => isSuccess(response) && !response.text.includes('"code"')
  const record = { fields: { id: toJsonInt64(id) } }
  const none = { code: NOT_FOUND[kind] }
  return exists(await call(RESOURCES[kind].read, { id }, (response) => (exists(response) ? record : none)))
}
