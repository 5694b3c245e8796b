import type { Schema } from '../../../document/schema/schema.js'
import type { Parameter } from '../../../document/validate/parameters.js'
import type { ServiceResource } from '../../../engine/resources/service-resource.js'
import { encodePart } from '../../../lib/text.js'
import { type Check, type Context, reads } from '../check.js'
import type { ListOperation } from '../operations.js'
import { isView, itemsIn } from '../resources.js'

/** Checks of lists that hold for whatever is in them. */
export function queryChecks(lists: readonly ListOperation[]): Check[] {
  return [
    ...lists.map((list) =>
      reads(list.id, `returns a page of ${isView(list.resource) ? 'entries' : list.resource.name}`, async (context) => {
        await context.call(list.id, { query: context.requests.queryFor(list, 100) ?? '' })
        await context.call(list.id, {})
      }),
    ),

    ...lists.map(({ id, contract }) =>
      reads(id, 'returns 400 for an invalid query', async ({ expectInvalid }) => {
        for (const query of contract.queryParameters.flatMap(invalidQueries)) {
          await expectInvalid(id, { query }, 'INVALID_REQUEST')
        }
      }),
    ),

    ...lists.filter(({ resource }) => selectiveFilters(resource).length > 0).map(emptyPageCheck),
  ]
}

function invalidQueries({ name, schema }: Parameter): string[] {
  const single = schema.items ?? schema
  const values = invalidTexts(single)
  const [known] = single.enum ?? []
  const repeated = single === schema ? [] : [`${known}&${encodePart(name)}=`]
  return [...values, ...repeated].map((value) => `${encodePart(name)}=${value}`)
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
  const response = await call(id, { query: `${encodePart(parameter)}=${encodePart(value)}`, total: 0 })
  const { length } = response.asExpected ? itemsIn(resource, response.value) : []
  if (length > 0) noteOn(id, response)(`query ${parameter}`, 'no items', `${length} items`)
}
