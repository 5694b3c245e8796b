import { Link } from '../components/display.js'
import { useDashboard, useResource, useRoute } from '../context.js'
import { COLLECTIONS, findCollection, type Row } from './collections.js'
import { DataContext } from './context.js'
import { RecordView } from './record.js'
import { RecordTable } from './table.js'

/** The mock's data, read and written through the Pet Store API. */
export function DataPanel() {
  const { segments, query } = useRoute()
  const collection = findCollection(segments[1])
  const id = segments[2]
  const categories = useCategoryNames(collection.name === 'pets')
  return (
    <DataContext.Provider value={{ collection, categories }}>
      <nav class="actions tools" aria-label="Collections">
        {COLLECTIONS.map(({ name, title }) => (
          <Link key={name} to={`/data/${name}`} class="button small" current={name === collection.name}>
            {title}
          </Link>
        ))}
      </nav>
      {id === undefined ? (
        <RecordTable key={collection.name} query={query} />
      ) : (
        <RecordView key={`${collection.name} ${id}`} id={id} />
      )}
    </DataContext.Provider>
  )
}

/** The names of the first 100 categories, which is the API's largest page. */
function useCategoryNames(isNeeded: boolean): ReadonlyMap<string, string> {
  const { api } = useDashboard()
  const { value } = useResource(
    `categories ${isNeeded}`,
    async () => (isNeeded ? ((await api.read('/categories?limit=100')).body as Row[]) : []),
    { topics: ['state', 'reset'] },
  )
  return new Map(value?.map(({ id, name }) => [String(id), String(name)]))
}
