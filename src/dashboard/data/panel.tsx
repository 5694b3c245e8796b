import { useState } from 'preact/hooks'
import { useAction } from '../action.js'
import { Alert, Button, Empty, Link, LoadState } from '../components/display.js'
import { Field } from '../components/field.js'
import { Filters } from '../components/form.js'
import { useDashboard, useRoute } from '../context.js'
import { plural } from '../format.js'
import { useResource } from '../resource.js'
import { toRoute } from '../router.js'
import { COLLECTIONS, DataContext, findCollection, idOf, type Row, useData } from './collections.js'
import { DetailsContext, readDetails } from './details.js'
import { Cell, RecordActions, RecordForm, RecordView, withCurrent } from './record.js'

/** The mock's data. It is read through the admin API, so that looking has no effect, and changed through the Pet Store API. */
export function DataPanel() {
  const { segments, query } = useRoute()
  const collection = findCollection(segments[1])
  const { name } = collection
  const id = segments[2]
  const categories = useCategories(name === 'pets')
  return (
    <DataContext.Provider value={{ collection, ...categories }}>
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

/** The first 100 categories, which is the largest page. */
function useCategories(isNeeded: boolean) {
  const { api } = useDashboard()
  const load = () => (isNeeded ? api.readData('/categories?limit=100') : Promise.resolve(undefined))
  const { value } = useResource(`categories ${isNeeded}`, load, { topics: ['state', 'reset'] })
  const rows = (value?.body ?? []) as Row[]
  return {
    categories: new Map(rows.map(({ id, name }) => [String(id), String(name)])),
    hasAllCategories: rows.length === Number(value?.headers.get('X-Total-Count')),
  }
}

const PER_PAGE = 20

/** One page of a collection, sorted and filtered by the mock. */
function RecordTable({ query }: { query: URLSearchParams }) {
  const { api, router } = useDashboard()
  const { collection, categories, hasAllCategories } = useData()
  const { title, columns } = collection
  /** Of the form, if it is open: the record as it was then, or undefined for a new one. */
  const [form, setForm] = useState<{ row?: Row }>()
  const given = Object.fromEntries(query)
  const path = toRoute(`/${collection.name}`, { ...given, limit: String(PER_PAGE) })
  const load = async () => {
    const { headers, body } = await api.readData(path)
    const rows = body as Row[]
    const details = await readDetails(api, collection, rows)
    return { rows, total: Number(headers.get('X-Total-Count')), details }
  }
  const { value, failure } = useResource(path, load, { topics: ['state', 'reset'] })
  const routeTo: RouteTo = (changes) => toRoute(`/data/${collection.name}`, { ...given, ...changes })
  const isFiltered = [...query.keys()].some((name) => name !== 'sort')

  return (
    <>
      <div class="tools between">
        <strong role="status">{value && plural(value.total, 'record')}</strong>
        {!collection.isFixed && (
          <Button text={`New ${collection.singular}`} kind="primary" onClick={() => setForm({})} />
        )}
      </div>
      <Filters onInput={(values) => router.go(routeTo({ ...values, offset: undefined }), { replace: true })}>
        {collection.filters.map(({ name, label, type, options, of }) => {
          const choices = of === 'categories' && hasAllCategories ? withCurrent([...categories], given[name]) : options
          return (
            <Field
              key={name}
              name={name}
              label={label}
              value={given[name] ?? ''}
              options={choices && [['', 'Any'], ...choices]}
              type={type === 'text' ? 'search' : 'number'}
            />
          )
        })}
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
          {isFiltered
            ? 'Change the filters to see more.'
            : `Create ${collection.isFixed ? 'a pet, which has a stock' : 'one'}, or reset to another scenario under State.`}
        </Empty>
      )}
      {value && <Pages offset={Number(given.offset ?? 0)} total={value.total} routeTo={routeTo} />}
      {/* Not in the table: the row may be moved or removed while it is edited. */}
      {form && <RecordForm row={form.row} onClose={() => setForm(undefined)} />}
    </>
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
