import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { encodePart } from '../../lib/text.js'
import { type Api, toFailure } from '../api.js'
import { useDashboard } from '../context.js'
import { plural } from '../format.js'
import { useResource } from '../resource.js'
import { type CollectionView, findCollection, idOf, nameOf, type Row } from './collections.js'

export type Choice = readonly [value: string, label: string]

/** Records that can be referred to. */
interface Choices {
  readonly known: readonly Choice[]
  /** Whether these are all, and few enough to choose from. */
  readonly isComplete: boolean
}

interface Data {
  readonly collections: readonly CollectionView[]
  readonly collection: CollectionView
  /** By the name of their collection. */
  readonly choices: Readonly<Record<string, Choices>>
}

export const DataContext = createContext<Data | undefined>(undefined)

export function useData(): Data {
  return useContext(DataContext) as Data
}

/** The largest page. */
const MAX_KNOWN = 100
/** A longer list is not offered as choices. */
const MAX_CHOICES = 50

/** What the filters and the form of a collection can refer to. */
export function useChoices(collections: readonly CollectionView[], { name, columns, filters }: CollectionView) {
  const { api } = useDashboard()
  const targets = new Set([...columns.filter(({ readOnly }) => !readOnly), ...filters].flatMap(({ of }) => of ?? []))
  const load = async (): Promise<Data['choices']> => {
    const found = await Promise.all(
      Array.from(targets, async (target) => {
        const { headers, body } = await api.readList(target, { limit: MAX_KNOWN })
        const view = findCollection(collections, target) as CollectionView
        const known = (body as Row[]).map((row): Choice => [idOf(view, row), nameOf(view, row)])
        const isComplete = known.length <= MAX_CHOICES && known.length === Number(headers.get('X-Total-Count'))
        return [target, { known, isComplete }] as const
      }),
    )
    return Object.fromEntries(found)
  }
  return useResource(`choices ${name}`, load, { topics: ['state', 'reset'] }).value ?? {}
}

/** Adds the current value to the values to choose from, if it is another one. */
export function withCurrent(options: readonly Choice[], current: string | undefined): readonly Choice[] {
  const isMissing = current !== undefined && current !== '' && !options.some(([value]) => value === current)
  return isMissing ? [[current, current], ...options] : options
}

/** What the rows of a table do not say themselves. */
interface Details {
  /** The names of the records that the rows refer to, by `keyOf`. */
  readonly names: ReadonlyMap<string, string>
  /** Why a record cannot be deleted, by its id. */
  readonly obstacles: ReadonlyMap<string, string>
}

export const DetailsContext = createContext<Details>({ names: new Map(), obstacles: new Map() })

export function useDetails(): Details {
  return useContext(DetailsContext)
}

/** A key for `names`. */
export const keyOf = (collection: string, id: unknown) => `${collection}/${encodePart(String(id))}`

export async function readDetails(
  api: Api,
  collections: readonly CollectionView[],
  collection: CollectionView,
  rows: readonly Row[],
): Promise<Details> {
  const [names, obstacles] = await Promise.all([
    readNames(api, collections, collection, rows),
    readObstacles(api, collection, rows),
  ])
  return { names, obstacles }
}

async function readNames(
  api: Api,
  collections: readonly CollectionView[],
  { columns }: CollectionView,
  rows: readonly Row[],
): Promise<Details['names']> {
  const names = new Map<string, Promise<string>>()
  for (const { name, of } of columns) {
    const target = of === undefined ? undefined : findCollection(collections, of)
    if (target?.nameProperty === undefined) continue
    for (const { [name]: id } of rows) {
      if (id === undefined || id === null) continue
      const key = keyOf(target.name, id)
      if (!names.has(key)) names.set(key, readName(api, target, id))
    }
  }
  return new Map(await Promise.all(Array.from(names, async ([key, name]) => [key, await name] as const)))
}

/** A record may have been deleted after another referred to it. */
async function readName(api: Api, target: CollectionView, id: unknown): Promise<string> {
  try {
    return nameOf(target, await api.admin('getRecord', { path: { collection: target.name, recordId: id } }))
  } catch (error) {
    if (toFailure(error).code === 'RECORD_NOT_FOUND') return 'deleted'
    throw error
  }
}

async function readObstacles(
  api: Api,
  collection: CollectionView,
  rows: readonly Row[],
): Promise<Details['obstacles']> {
  const users = collection.users.filter(({ preventsDeletion }) => preventsDeletion)
  if (users.length === 0 || !collection.canDelete) return new Map()
  const obstacles = await Promise.all(
    rows.map(async (row) => {
      const id = idOf(collection, row)
      const counts = await Promise.all(users.map((each) => countUses(api, each, id)))
      const found = counts.flatMap((count, index) => {
        const { singular, plural: many } = users[index] as (typeof users)[number]
        return count > 0 ? plural(count, singular, many) : []
      })
      return found.length > 0 ? ([id, `It has ${found.join(' and ')}.`] as const) : undefined
    }),
  )
  return new Map(obstacles.filter((each) => each !== undefined))
}

async function countUses(api: Api, { name, parameter }: CollectionView['users'][number], id: string): Promise<number> {
  return Number((await api.readList(name, { [parameter]: id, limit: 1 })).headers.get('X-Total-Count'))
}
