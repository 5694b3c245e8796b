import { useDesk, useResource, useRoute } from '../context.js'
import { Link } from '../parts/link.js'
import { KINDS, kindOf, type Row } from './kinds.js'
import { RecordView } from './record.js'
import { RecordTable } from './table.js'

/** What the store holds, read and written through its own API. */
export function DataPanel() {
  const { segments, query } = useRoute()
  const kind = kindOf(segments[1])
  const id = segments[2]
  const categories = useCategoryNames(kind.name === 'pets')
  return (
    <>
      <nav class="subtabs" aria-label="Kinds of records">
        {KINDS.map(({ name, title }) => (
          <Link key={name} to={`/data/${name}`} class="subtab" current={name === kind.name}>
            {title}
          </Link>
        ))}
      </nav>
      {id === undefined ? (
        <RecordTable key={kind.name} kind={kind} query={query} categories={categories} />
      ) : (
        <RecordView key={`${kind.name} ${id}`} kind={kind} id={id} categories={categories} />
      )}
    </>
  )
}

/** So that a category is called by its name where that is known: the API has no more than 100 on a page. */
function useCategoryNames(needed: boolean): ReadonlyMap<string, string> {
  const { api } = useDesk()
  const { value } = useResource(
    `categories ${needed}`,
    async () => (needed ? ((await api.read('/categories?limit=100')).body as Row[]) : []),
    { topics: ['state', 'reset'] },
  )
  return new Map(value?.map(({ id, name }) => [String(id), String(name)]))
}
