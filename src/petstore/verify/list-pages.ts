import type { ServiceResource } from '../../engine/resources/service-resource.js'
import { encodePart } from '../../lib/text.js'
import { CannotCheck } from '../../tools/server/cannot-check.js'
import type { JsonId } from '../../tools/server/document-requests.js'
import { type Check, type Context, reads, writes } from '../../tools/verify/check.js'
import { compareFields } from '../../tools/verify/compare-response.js'
import { inBody } from '../../tools/verify/findings.js'
import { markOf, marksOf } from '../../tools/verify/marks.js'
import type { ListOperation } from '../../tools/verify/operations.js'
import { itemsIn } from '../../tools/verify/resources.js'
import { expectIds, expectSorted, idsOf, type Listed, sortBy, sortsOf } from './listed-records.js'

/** Records of ours in one list. */
export interface OwnList {
  /** The query that excludes the records of others, and the parameter that does. */
  readonly query: string
  readonly parameter: string
  readonly records: readonly Listed[]
  /** Further filters: a parameter, and the values that it keeps. */
  readonly filters: readonly (readonly [parameter: string, ...values: unknown[]])[]
}

interface ExpectedPage {
  /** The parameter of the query that is checked. */
  readonly parameter: string
  readonly query: string
  readonly expected: readonly Listed[]
  /** Default: as many as are expected on the page. */
  readonly total?: number
}

/** By resource: creates records for the checks of its list. */
export type OwnLists = Readonly<Record<string, (context: Context) => Promise<OwnList>>>

/** Checks of lists that hold for whatever is in them, and with our own records, so that other clients cannot interfere. */
export function listChecks(lists: readonly ListOperation[], own: OwnLists): Check[] {
  const sorted = lists.filter((list) => sortsOf(list).includes(`-${list.resource.idPath[0]}`))
  return [
    ...sorted.map((list) =>
      reads(list.id, 'sorts by id in both directions, and keeps to the limit', async (context) => {
        const id = list.resource.idPath[0]
        for (const [query, sort] of [
          ['limit=100', id],
          [`limit=100&sort=-${id}`, `-${id}`],
          ['limit=2', id],
          ['limit=2&offset=1', id],
        ] as const) {
          await expectSorted(context, list, query, sort)
        }
      }),
    ),
    ...lists.flatMap((list) => {
      const create = own[list.resource.name] ?? createListed(list.resource)
      return create ? checksOf(list, create) : []
    }),
  ]
}

function checksOf(list: ListOperation, create: OwnLists[string]): Check[] {
  const { id: operation, resource } = list
  const sorts = sortsOf(list)
  const { sort: sortParameter = 'sort', paging } = resource.list ?? {}
  const { size = 'limit', position = 'offset' } = paging ?? {}
  const idName = resource.idPath[0]
  let ownList: OwnList | undefined

  /** Returns whether a page has exactly these records in this order. If not, that is a difference of `parameter`. */
  async function expectPage({ call, noteOn }: Context, { parameter, query, expected, total }: ExpectedPage) {
    const response = await call(operation, { query, total: total ?? expected.length })
    const note = noteOn(operation, response)
    const ids = response.asExpected ? idsOf(resource, response.value) : undefined
    if (ids === undefined) return true
    for (const [index, received] of ids.entries()) {
      const { id, ...fields } = expected.find((each) => String(each.id) === received) ?? {}
      compareFields(itemsIn(resource, response.value)[index], fields, inBody(note), '/*')
    }
    return expectIds(`query ${parameter}`, ids, expected, note)
  }

  async function requireList(context: Context): Promise<OwnList> {
    ownList ??= await create(context)
    const { parameter, query, records } = ownList
    if (await expectPage(context, { parameter, query, expected: sortBy(records, 'id') })) return ownList
    throw new CannotCheck(`needs the filter ${parameter}, which does not work`)
  }

  return [
    writes(operation, 'filters and sorts', async (context) => {
      const { query, records, filters } = await requireList(context)
      for (const [parameter, ...values] of filters) {
        const kept = records.filter((fields) => values.includes(fields[parameter]))
        const filter = values.map((value) => `${parameter}=${value}`).join('&')
        await expectPage(context, { parameter, query: `${query}&${filter}`, expected: sortBy(kept, 'id') })
      }
      for (const sort of sorts) {
        const expected = sortBy(records, sort)
        await expectPage(context, { parameter: sortParameter, query: `${query}&${sortParameter}=${sort}`, expected })
      }
    }),

    writes(operation, 'returns page by page, with the total and links', async (context) => {
      const { query, records } = await requireList(context)
      const sorted = sortBy(records, 'id')
      const total = sorted.length
      const expectPart = (parameter: string, query: string, expected: readonly Listed[]) =>
        expectPage(context, { parameter, query, expected, total })
      for (let offset = 0; offset < total; offset += 2) {
        const parameter = offset === 0 ? size : position
        await expectPart(parameter, `${query}&${size}=2&${position}=${offset}`, sorted.slice(offset, offset + 2))
      }
      await expectPart(size, `${query}&${size}=2`, sorted.slice(0, 2))
      await expectPart(position, `${query}&${position}=1`, sorted.slice(1))
      await expectPart(position, `${query}&${position}=9007199254740991`, [])
      if (!sorts.includes(`-${idName}`)) return
      const last = sortBy(records, '-id').slice(0, 2)
      await expectPart(sortParameter, `${size}=2&${query}&${sortParameter}=-${idName}`, last)
    }),
  ]
}

/** Records with the marker in a text that the list can be filtered by, and with various values of other properties. */
function createListed(resource: ServiceResource): OwnLists[string] | undefined {
  const { name, list, fields, references, operations, additions } = resource
  const mark = markOf(resource, 'text')?.property
  const parameter = list?.filters.find(({ property }) => property === mark)?.parameter
  if (mark === undefined || parameter === undefined || !operations.create) return undefined
  const choices = fields.filter(({ property, schema }) => schema.enum && resource.writable.includes(property))
  const texts = marksOf(resource).filter(({ property, type }) => type === 'text' && property !== mark)

  return async (context) => {
    const text = `Listed ${context.marker}`
    // A filter by part of a text ignores case; one by the whole text needs the same text in all records.
    const part = `${text.toUpperCase()} `
    const isPartial = additions.filters?.[parameter]?.({ [mark]: `${text} a` } as never, part as never) === true
    const targets: Record<string, readonly JsonId[]> = {}
    for (const [property, to] of Object.entries(references)) {
      targets[property] = [(await context.create(to)).id, (await context.create(to)).id]
    }
    const records: Listed[] = []
    for (const [index, suffix] of ['d', 'a', 'e', 'b', 'c'].entries()) {
      const given = {
        [mark]: isPartial ? `${text} ${suffix}` : text,
        ...Object.fromEntries(Object.entries(targets).map(([property, ids]) => [property, ids[index === 4 ? 1 : 0]])),
        ...Object.fromEntries(
          choices.map(({ property, schema }) => [property, schema.enum?.[index % schema.enum.length]]),
        ),
        ...Object.fromEntries(texts.map(({ property }) => [property, index === 1 ? undefined : `text ${index}`])),
      }
      records.push(await context.create(name, given))
    }
    const filters = (list?.filters ?? []).flatMap(({ parameter, property }): OwnList['filters'] => {
      const values = targets[property] ?? choices.find((choice) => choice.property === property)?.schema.enum ?? []
      return values.map((value) => [parameter, value])
    })
    return { query: `${parameter}=${encodePart(isPartial ? part : text)}`, parameter, records, filters }
  }
}
