import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { type Api, toFailure } from '../api.js'
import { plural } from '../format.js'
import { type CollectionView, idOf, type Row } from './collections.js'

/** What the rows of a table do not say themselves. */
interface Details {
  /** Names of the pets that the rows refer to, by id. */
  readonly petNames: ReadonlyMap<string, string>
  /** Why a record cannot be deleted, by its id. */
  readonly obstacles: ReadonlyMap<string, string>
}

export const DetailsContext = createContext<Details>({ petNames: new Map(), obstacles: new Map() })

export function useDetails(): Details {
  return useContext(DetailsContext)
}

export async function readDetails(api: Api, collection: CollectionView, rows: readonly Row[]): Promise<Details> {
  const [petNames, obstacles] = await Promise.all([readPetNames(api, rows), readObstacles(api, collection, rows)])
  return { petNames, obstacles }
}

async function readPetNames(api: Api, rows: readonly Row[]): Promise<Details['petNames']> {
  const ids = new Set(rows.flatMap(({ petId }) => (petId === undefined ? [] : String(petId))))
  const names = await Promise.all(Array.from(ids, async (id) => [id, await readPetName(api, id)] as const))
  return new Map(names)
}

/** A pet may have been deleted after its order was completed. */
async function readPetName(api: Api, id: string): Promise<string> {
  try {
    return String(((await api.readData(`/pets/${id}`)).body as Row).name)
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
  const { usesOf } = collection
  if (usesOf === undefined) return new Map()
  const obstacles = await Promise.all(
    rows.map(async (row) => {
      const [what, path] = usesOf(row)
      const { headers } = await api.readData(path)
      const count = Number(headers.get('X-Total-Count'))
      return count > 0 ? ([idOf(collection, row), `It has ${plural(count, what)}.`] as const) : undefined
    }),
  )
  return new Map(obstacles.filter((each) => each !== undefined))
}
