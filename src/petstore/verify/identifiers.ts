import { notFound, withArticle } from '../../engine/crud/messages.js'
import type { ServiceResource } from '../../engine/resources/service-resource.js'
import { type Id, idAfter, idBefore } from '../../lib/int64.js'
import { show } from '../../tools/server/differences.js'
import { isSuccess, type ServiceResponse } from '../../tools/server/service-response.js'
import { type Check, type Context, reads } from '../../tools/verify/check.js'
import type { ListOperation } from '../../tools/verify/operations.js'
import { isView, itemsIn } from '../../tools/verify/resources.js'
import { idsOf } from './listed-records.js'

/** An id that a double rounds to another, and the ends of the range. */
const LARGE_IDS = ['9007199254740993', '9223372036854775807', '9223372036854775806', '-9223372036854775808'] as Id[]

const MAX_LISTED = 3

const hasLargeIds = ({ id }: ServiceResource): boolean => id.kind.type === 'int64'

/** Ids are exact over the whole range of 64 bits: a response is about the id in the request and no other. */
export function identifierChecks(lists: readonly ListOperation[], all: readonly ServiceResource[]): Check[] {
  return [
    ...lists
      .filter(({ resource }) => hasLargeIds(resource) && !isView(resource))
      .flatMap(({ id, resource }) =>
        resource.operations.read ? [readCheck(id, resource.operations.read.operationId, resource)] : [],
      ),
    ...lists.flatMap((list) => {
      const { resource } = list
      return (resource.list?.filters ?? []).flatMap(({ parameter, property }) => {
        const target = all.find(({ name }) => name === resource.references[property])
        return target && hasLargeIds(target) ? [filterCheck(list, parameter, property, target)] : []
      })
    }),
  ]
}

function readCheck(list: string, read: string, resource: ServiceResource): Check {
  const { ids, idPath } = resource
  /** Expects the record with this id, or none, since another client may have created it. Returns whether there is one. */
  async function expectRecordOrNone({ call }: Context, id: Id): Promise<boolean> {
    const exists = (response: ServiceResponse): boolean => isSuccess(response) && !response.text.includes('"code"')
    const record = { fields: { [idPath[0]]: ids.toJson(id) } }
    const none = { code: notFound(resource, id).code }
    return exists(await call(read, { id }, (response) => (exists(response) ? record : none)))
  }

  return reads(read, 'does not confuse an id with one close to it', async (context) => {
    const query = `limit=100&sort=-${idPath[0]}`
    const listIds = async () => idsOf(resource, (await context.call(list, { query })).value) ?? []
    for (const id of LARGE_IDS) await expectRecordOrNone(context, id)
    for (const id of (await listIds()).slice(0, MAX_LISTED) as Id[]) {
      // Another client may have deleted it.
      if (!(await expectRecordOrNone(context, id)) && (await listIds()).includes(id)) {
        await context.call(read, { id }, { fields: { [idPath[0]]: ids.toJson(id) } })
      }
      for (const neighbour of [idAfter(id), id.startsWith('-') ? undefined : idBefore(id)]) {
        if (neighbour !== undefined) await expectRecordOrNone(context, neighbour)
      }
    }
  })
}

function filterCheck(list: ListOperation, parameter: string, property: string, { noun }: ServiceResource): Check {
  const { id: operation, resource } = list
  return reads(operation, `does not confuse ${withArticle(noun)} with one close to it`, async ({ call, noteOn }) => {
    for (const id of LARGE_IDS) {
      const response = await call(operation, { query: `${parameter}=${id}` })
      for (const { [property]: value } of response.asExpected ? itemsIn(resource, response.value) : []) {
        if (value === undefined || String(value) === id) continue
        noteOn(operation, response)(`query ${parameter}`, id, show(value))
      }
    }
  })
}
