import { useMemo, useState } from 'preact/hooks'
import { Alert, Button, Empty, Link, LoadState } from '../components/display.js'
import { Field, Filters } from '../components/form.js'
import { useAction, useDashboard, useRoute } from '../context.js'
import { plural, toLabel } from '../format.js'
import { useCollections, useResource } from '../resource.js'
import { splitRoute, toRoute } from '../router.js'
import { type CollectionView, type Filter, findCollection, idOf, type Row, toCollectionViews } from './collections.js'
import { DataContext, DetailsContext, readDetails, useChoices, useData, withCurrent } from './context.js'
import { Cell, RecordActions, RecordForm, RecordView } from './record.js'

/** The mock's data. It is read through the admin API, so that looking has no effect, and changed through the service's API. */
export function DataPanel() {
  const { segments } = useRoute()
  const { value, failure } = useCollections()
  const collections = useMemo(() => toCollectionViews(value ?? []), [value])
  const collection = findCollection(collections, segments[1])
  if (value === undefined) return <LoadState value={value} failure={failure} />
  if (collection === undefined) return <Empty title="No collections">The OpenAPI document has none.</Empty>
  return <CollectionPanel collections={collections} collection={collection} />
}

interface CollectionPanelProps {
  collections: readonly CollectionView[]
  collection: CollectionView
}

function CollectionPanel({ collections, collection }: CollectionPanelProps) {
  const { segments, query } = useRoute()
  const { name } = collection
  const id = segments[2]
  const choices = useChoices(collections, collection)
  return (
    <DataContext.Provider value={{ collections, collection, choices }}>
      <nav class="actions tools" aria-label="Collections">
        {collections.map((each) => (
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

const PER_PAGE = 20

/** One page of a collection, sorted and filtered by the mock. */
function RecordTable({ query }: { query: URLSearchParams }) {
  const { api, router } = useDashboard()
  const { collections, collection } = useData()
  const { title, columns } = collection
  /** Of the form, if it is open: the record as it was then, or undefined for a new one. */
  const [form, setForm] = useState<{ row?: Row }>()
  const given = Object.fromEntries(query)
  const path = toRoute(`/${collection.name}`, given)
  const load = async () => {
    const shown = Object.fromEntries(splitRoute(path).query)
    const { headers, body } = await api.readList(collection.name, { ...shown, limit: PER_PAGE })
    const rows = body as Row[]
    const details = await readDetails(api, collections, collection, rows)
    return { rows, total: Number(headers.get('X-Total-Count')), details }
  }
  const { value, failure } = useResource(path, load, { topics: ['state', 'reset'] })
  const routeTo: RouteTo = (changes) => toRoute(`/data/${collection.name}`, { ...given, ...changes })
  const isFiltered = [...query.keys()].some((name) => name !== 'sort')

  return (
    <>
      <div class="tools between">
        <strong role="status">{value && plural(value.total, 'record')}</strong>
        {collection.canCreate && (
          <Button text={`New ${collection.singular}`} kind="primary" onClick={() => setForm({})} />
        )}
      </div>
      <Filters onInput={(values) => router.go(routeTo({ ...values, offset: undefined }), { replace: true })}>
        {collection.filters.map((filter) => (
          <FilterField key={filter.name} filter={filter} value={given[filter.name] ?? ''} />
        ))}
      </Filters>
      <LoadState value={value} failure={failure} />
      {value && value.rows.length > 0 && (
        <div class="scroll">
          <table class="table">
            <caption class="visually-hidden">{title}</caption>
            <thead>
              <tr>
                {columns.map(({ name, label }) => (
                  <SortHeader
                    key={name}
                    name={name}
                    label={label}
                    sort={given.sort ?? columns[0].name}
                    routeTo={routeTo}
                  />
                ))}
                <th scope="col">
                  <span class="visually-hidden">Links and actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              <DetailsContext.Provider value={value.details}>
                {value.rows.map((row) => (
                  <TableRow key={idOf(collection, row)} row={row} onEdit={(row) => setForm({ row })} />
                ))}
              </DetailsContext.Provider>
            </tbody>
          </table>
        </div>
      )}
      {value?.rows.length === 0 && (
        <Empty title={`No ${title.toLowerCase()}`}>
          {isFiltered ? 'Change the filters to see more.' : `${howToFill(collection)} to another scenario under State.`}
        </Empty>
      )}
      {value && <Pages offset={Number(given.offset ?? 0)} total={value.total} routeTo={routeTo} />}
      {/* Not in the table: the row may be moved or removed while it is edited. */}
      {form && <RecordForm row={form.row} onClose={() => setForm(undefined)} />}
    </>
  )
}

function howToFill({ canCreate, view, singular }: CollectionView): string {
  if (canCreate) return 'Create one, or reset'
  return view === undefined ? 'Reset' : `Create a ${singular}, or reset`
}

const NUMERIC: readonly Filter['type'][] = ['id', 'integer', 'number']

function FilterField({ filter: { name, type, options, of }, value }: { filter: Filter; value: string }) {
  const { choices } = useData()
  const { known = [], isComplete = false } = (of !== undefined && choices[of]) || {}
  const values = isComplete ? withCurrent(known, value) : options
  return (
    <Field
      name={name}
      label={toLabel(name, isComplete)}
      value={value}
      options={values && [['', 'Any'], ...values]}
      type={NUMERIC.includes(type) ? 'number' : 'search'}
    />
  )
}

type RouteTo = (changes: Record<string, string | undefined>) => string

function SortHeader({ name, label, sort, routeTo }: { name: string; label: string; sort: string; routeTo: RouteTo }) {
  const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined
  const next = direction === 'ascending' ? `-${name}` : name
  return (
    <th scope="col" aria-sort={direction}>
      <Link to={routeTo({ sort: next, offset: undefined })} text={label} class="sort" />
    </th>
  )
}

function TableRow({ row, onEdit }: { row: Row; onEdit: (row: Row) => void }) {
  const { columns } = useData().collection
  const deletion = useAction()
  return (
    <>
      <tr>
        {columns.map((column) => (
          <td key={column.name} data-label={column.label}>
            <Cell column={column} row={row} />
          </td>
        ))}
        <td>
          <RecordActions row={row} deletion={deletion} onEdit={onEdit} />
        </td>
      </tr>
      {deletion.failure && (
        <tr>
          <td colSpan={columns.length + 1}>
            <Alert failure={deletion.failure} />
          </td>
        </tr>
      )}
    </>
  )
}

function Pages({ offset, total, routeTo }: { offset: number; total: number; routeTo: RouteTo }) {
  if (total <= PER_PAGE && offset === 0) return null
  const last = Math.min(offset + PER_PAGE, total)
  const to = (start: number) => routeTo({ offset: start > 0 ? String(start) : undefined })
  return (
    <nav class="pages" aria-label="Pages">
      {offset > 0 && <Link to={to(Math.max(0, offset - PER_PAGE))} text="Previous" class="button small" />}
      <span>{offset >= total ? `0 of ${total}` : `${offset + 1} to ${last} of ${total}`}</span>
      {last < total && <Link to={to(offset + PER_PAGE)} text="Next" class="button small" />}
    </nav>
  )
}
