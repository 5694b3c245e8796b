import { CannotCheck } from '../../cannot-check.js'
import { type Check, type Context, writes } from '../check.js'
import { compareFields } from '../compare-response.js'
import { inBody } from '../findings.js'
import { expectIds, idsOf, type Listed, sortBy } from '../listed-records.js'

/** Records of ours in one list. */
interface OwnList {
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

/** Checks of lists with our own records, so that other clients cannot interfere. */
export function listChecks(): Check[] {
  return [
    ...checksOf('listPets', createPets),
    ...checksOf('listCategories', createCategories),
    ...checksOf('listOrders', createOrders),
  ]
}

function checksOf(
  operation: 'listPets' | 'listCategories' | 'listOrders',
  create: (context: Context) => Promise<OwnList>,
): Check[] {
  let list: OwnList | undefined

  /** Returns whether a page has exactly these records in this order. If not, that is a difference of `parameter`. */
  async function expectPage({ call, noteOn }: Context, { parameter, query, expected, total }: ExpectedPage) {
    const response = await call(operation, { query, total: total ?? expected.length })
    const note = noteOn(operation, response)
    const ids = response.asExpected ? idsOf(response.value) : undefined
    if (ids === undefined) return true
    for (const [index, received] of ids.entries()) {
      const { id, ...fields } = expected.find((each) => String(each.id) === received) ?? {}
      compareFields((response.value as unknown[])[index], fields, inBody(note), '/*')
    }
    return expectIds(`query ${parameter}`, ids, expected, note)
  }

  async function requireList(context: Context): Promise<OwnList> {
    list ??= await create(context)
    const { parameter, query, records } = list
    if (await expectPage(context, { parameter, query, expected: sortBy(records, 'id') })) return list
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
      for (const sort of context.operations[operation].sorts) {
        const expected = sortBy(records, sort)
        await expectPage(context, { parameter: 'sort', query: `${query}&sort=${sort}`, expected })
      }
    }),

    writes(operation, 'returns page by page, with the total and links', async (context) => {
      const { query, records } = await requireList(context)
      const sorted = sortBy(records, 'id')
      const total = sorted.length
      const expectPart = (parameter: string, query: string, expected: readonly Listed[]) =>
        expectPage(context, { parameter, query, expected, total })
      for (let offset = 0; offset < total; offset += 2) {
        const parameter = offset === 0 ? 'limit' : 'offset'
        await expectPart(parameter, `${query}&limit=2&offset=${offset}`, sorted.slice(offset, offset + 2))
      }
      await expectPart('limit', `${query}&limit=2`, sorted.slice(0, 2))
      await expectPart('offset', `${query}&offset=1`, sorted.slice(1))
      await expectPart('offset', `${query}&offset=9007199254740991`, [])
      await expectPart('sort', `limit=2&${query}&sort=-id`, sortBy(records, '-id').slice(0, 2))
    }),
  ]
}

/** The filter by name ignores case. */
const nameQuery = ({ marker }: Context): string => `name=${encodeURIComponent(`LISTED ${marker.toUpperCase()} `)}`

async function createPets(context: Context): Promise<OwnList> {
  const [one, other] = [await context.createCategory(), await context.createCategory()]
  const records: Listed[] = []
  for (const [suffix, status, { id: categoryId }] of [
    ['d', 'available', one],
    ['a', 'pending', one],
    ['e', 'available', one],
    ['b', 'sold', one],
    ['c', 'available', other],
  ] as const) {
    const name = `Listed ${context.marker} ${suffix}`
    records.push({ ...(await context.createPet({ name, status, categoryId })), status })
  }
  const filters = [
    ['categoryId', one.id],
    ['categoryId', other.id],
    ['status', 'available'],
    ['status', 'pending', 'sold'],
  ] as const
  return { query: nameQuery(context), parameter: 'name', records, filters }
}

async function createCategories(context: Context): Promise<OwnList> {
  const records: Listed[] = []
  for (const [suffix, description] of [['b', 'first'], ['c'], ['a', 'second']]) {
    const name = `Listed ${context.marker} ${suffix}`
    const { id } = await context.createCategory({ name, ...(description !== undefined && { description }) })
    records.push({ id, name, description })
  }
  return { query: nameQuery(context), parameter: 'name', records, filters: [] }
}

async function createOrders({ createPet, createOrder, newQuantity }: Context): Promise<OwnList> {
  const { id: petId } = await createPet({ stock: 2_000_000_000 })
  // Some of the orders must not have a date, so their quantities mark them as ours.
  const [low, middle, high] = [newQuantity(), newQuantity(), newQuantity()].sort((a, b) => a - b)
  const records: Listed[] = []
  for (const [quantity, shipDate] of [
    [high, '2026-02-10T08:00:00.000Z'],
    [low, undefined],
    [middle, '2026-02-09T08:00:00.000Z'],
    [low, undefined],
  ] as const) {
    const fields = { petId, quantity, shipDate }
    records.push({ id: await createOrder(fields), ...fields, complete: false })
  }
  const filters = [
    ['complete', false],
    ['complete', true],
  ] as const
  return { query: `petId=${petId}`, parameter: 'petId', records, filters }
}
