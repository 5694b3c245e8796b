import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { useDashboard } from '../context.js'
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
        const { headers, body } = await api.readData(`/${target}?limit=${MAX_KNOWN}`)
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
