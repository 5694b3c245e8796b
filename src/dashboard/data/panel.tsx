import { Link } from '../components/display.js'
import { useDashboard, useResource, useRoute } from '../context.js'
import { COLLECTIONS, DataContext, findCollection, type Row } from './collections.js'
import { RecordView } from './record.js'
import { RecordTable } from './table.js'

/** The mock's data, read and written through the Pet Store API. */
export function DataPanel() {
  const { segments, query } = useRoute()
  const collection = findCollection(segments[1])
  const { name } = collection
  const id = segments[2]
  const categories = useCategoryNames(name === 'pets')
  return (
    <DataContext.Provider value={{ collection, categories }}>
      <nav class="actions tools" aria-label="Collections">
        {COLLECTIONS.map((each) => (
          <Link
            key={each.name}
            to={`/data/${each.name}`}
            text={each.title}
            class="button small"
            isCurrent={each === collection}
          />
        ))}
      </nav>
      {id === undefined ? <RecordTable key={name} query={query} /> : <RecordView key={`${name} ${id}`} id={id} />}
    </DataContext.Provider>
  )
}

/** The names of the first 100 categories, which is the API's largest page. */
function useCategoryNames(isNeeded: boolean): ReadonlyMap<string, string> {
  const { api } = useDashboard()
  const load = async () => (isNeeded ? ((await api.read('/categories?limit=100')).body as Row[]) : [])
  const { value } = useResource(`categories ${isNeeded}`, load, { topics: ['state', 'reset'] })
  return new Map(value?.map(({ id, name }) => [String(id), String(name)]))
}
