import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { type Collection, findCollection } from './collections.js'

interface Data {
  readonly collection: Collection
  /** Category names by id, as far as they are known. */
  readonly categories: ReadonlyMap<string, string>
}

export const DataContext = createContext<Data>({ collection: findCollection(undefined), categories: new Map() })

export function useData(): Data {
  return useContext(DataContext)
}
