import type { Parameter } from '../../../engine/contract/parameters.js'
import type { Schema } from '../../../engine/contract/schema.js'
import { readIdOf } from '../../../engine/resources/record-forms.js'
import type { ServiceResource } from '../../../engine/resources/service-resource.js'
import { encodePart } from '../../../lib/encode-part.js'
import type { CallResult } from '../caller.js'
import { type Check, type Context, reads } from '../check.js'
import { expectIds, type Listed, sortBy } from '../listed-records.js'
import type { ListOperation } from '../operations.js'
import { isView, itemsIn, queryFor } from '../resources.js'

/** Checks of lists that hold for whatever is in them. */
export function queryChecks(lists: readonly ListOperation[]): Check[] {
  return [
    ...lists.map(({ id, resource }) =>
      reads(id, `returns a page of ${isView(resource) ? 'entries' : resource.name}`, async ({ call }) => {
        await call(id, { query: queryFor(resource, 100) ?? '' })
        await call(id, {})
      }),
    ),

    ...lists.map(({ id, contract }) =>
      reads(id, 'returns 400 for an invalid query', async ({ call }) => {
        for (const query of contract.queryParameters.flatMap(invalidQueries)) {
          await call(id, { query }, { code: 'INVALID_REQUEST' })
        }
      }),
    ),

    ...lists.filter(({ resource }) => selectiveFilters(resource).length > 0).map(emptyPageCheck),

    ...lists
      .filter(({ resource, sorts }) => sorts.includes(`-${resource.idPath[0]}`))
      .map((operation) =>
        reads(operation.id, 'sorts by id in both directions, and keeps to the limit', async (context) => {
          const { idPath, list } = operation.resource
          const { size = 'limit', position = 'offset' } = list?.paging ?? {}
          for (const [query, sort] of [
            [`${size}=100`, idPath[0]],
            [`${size}=100&${list?.sort}=-${idPath[0]}`, `-${idPath[0]}`],
            [`${size}=2`, idPath[0]],
            [`${size}=2&${position}=1`, idPath[0]],
          ] as const) {
            await expectSorted(context, operation, query, sort)
          }
        }),
      ),
  ]
}

function invalidQueries({ name, schema }: Parameter): string[] {
  const single = schema.items ?? schema
  const values = invalidTexts(single)
  const [known] = single.enum ?? []
  const repeated = single === schema ? [] : [`${known}&${name}=`]
  return [...values, ...repeated].map((value) => `${name}=${value}`)
}

function invalidTexts({ type, enum: values, int64, minimum, maximum }: Schema): string[] {
  if (values !== undefined) return ['colour', '', '%2Bid']
  if (type === 'boolean') return ['yes', '1']
  if (type !== 'integer' && !int64) return []
  return [
    ...['abc', '01', '1e2', '1.5', '', '9223372036854775808'],
    ...(minimum === undefined ? [] : [String(minimum - 1)]),
    ...(maximum === undefined ? [] : [String(maximum + 1)]),
  ]
}

/** The filters for which there is a value that no record has: a text, or the id of another record. */
function selectiveFilters({ list, fields, references }: ServiceResource) {
  return (list?.filters ?? []).flatMap(({ parameter, property }) => {
    const { type, format, enum: values } = fields.find((field) => field.property === property)?.schema ?? {}
    const target = references[property]
    const isText = type === 'string' && format === undefined && values === undefined
    return target !== undefined || isText ? [{ parameter, target }] : []
  })
}

function emptyPageCheck({ id, resource }: ListOperation): Check {
  return reads(id, 'returns an empty page if nothing matches', async (context) => {
    const { marker, resources, unknownId } = context
    for (const { parameter, target } of selectiveFilters(resource)) {
      const value = target === undefined ? `missing ${marker}` : unknownId(resources.get(target))
      await expectEmpty(context, { id, resource }, parameter, value)
    }
  })
}

export async function expectEmpty(
  { call, noteOn }: Pick<Context, 'call' | 'noteOn'>,
  { id, resource }: Pick<ListOperation, 'id' | 'resource'>,
  parameter: string,
  value: string,
): Promise<void> {
  const response = await call(id, { query: `${parameter}=${encodePart(value)}`, total: 0 })
  const { length } = itemsOf(resource, response)
  if (length > 0) noteOn(id, response)(`query ${parameter}`, 'no items', `${length} items`)
}

const itemsOf = (resource: ServiceResource, { asExpected, value }: CallResult) =>
  asExpected ? itemsIn(resource, value) : []

/** Notes a difference unless the items of a page are sorted as the query says. */
export async function expectSorted(
  context: Pick<Context, 'call' | 'noteOn'>,
  { id, resource }: Pick<ListOperation, 'id' | 'resource'>,
  query: string,
  sort: string,
): Promise<void> {
  const response = await context.call(id, { query })
  const items = itemsOf(resource, response)
  const listed = items.flatMap((fields): Listed[] => {
    const key = readIdOf(resource, fields)
    return key === undefined ? [] : [{ ...fields, id: resource.ids.toJson(key) }]
  })
  // An item without an id is a difference of its own.
  if (listed.length < items.length) return
  const received = listed.map((each) => String(each.id))
  expectIds('query sort', received, sortBy(listed, sort), context.noteOn(id, response))
}
