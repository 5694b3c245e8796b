import { useState } from 'preact/hooks'
import { Alert, Empty, Link } from '../components/display.js'
import { SelectField, TextField } from '../components/form.js'
import { INTEGER } from '../constraints.js'
import { useAction, useDashboard, useResource } from '../context.js'
import { plural } from '../format.js'
import { toRoute } from '../router.js'
import type { Collection, Row } from './collections.js'
import { RecordForm } from './form.js'
import { Cell, RecordActions } from './record.js'

const PER_PAGE = 20

export interface RecordTableProps {
  readonly collection: Collection
  readonly query: URLSearchParams
  readonly categories: ReadonlyMap<string, string>
}

/** One page of a collection, sorted and filtered by the API. */
export function RecordTable({ collection, query, categories }: RecordTableProps) {
  const { api, router } = useDashboard()
  const [isCreating, setCreating] = useState(false)
  const given = Object.fromEntries(query)
  const path = toRoute(collection.path, { ...given, limit: String(PER_PAGE) })
  const { value, failure } = useResource(
    path,
    async () => {
      const { headers, body } = await api.read(path)
      return { rows: body as Row[], total: Number(headers.get('X-Total-Count')) }
    },
    { topics: ['state', 'reset'] },
  )
  const routeTo: RouteTo = (changes) => toRoute(`/data/${collection.name}`, { ...given, ...changes })
  const isFiltered = [...query.keys()].some((name) => name !== 'sort')

  return (
    <>
      <div class="tools between">
        <strong role="status">{value && plural(value.total, 'record')}</strong>
        {!collection.isFixed && (
          <button type="button" class="button primary" onClick={() => setCreating(true)}>
            New {collection.singular}
          </button>
        )}
      </div>
      <search class="filters">
        {collection.filters.map(({ name, label, options, isText }) => {
          const shared = { label, value: given[name] ?? '' }
          const set = (text: string) => router.go(routeTo({ [name]: text, offset: undefined }), { replace: true })
          if (options) return <SelectField key={name} {...shared} options={[['', 'Any'], ...options]} onChange={set} />
          return <TextField key={name} {...shared} {...(isText ? { type: 'search' } : INTEGER)} onInput={set} />
        })}
      </search>
      <Alert failure={failure} />
      {value && value.rows.length > 0 && (
        <div class="scroll">
          <table class="table">
            <caption class="visually-hidden">{collection.title}</caption>
            <thead>
              <tr>
                {collection.fields.map(({ name, label }) => (
                  <SortHeader
                    key={name}
                    name={name}
                    label={label}
                    sort={given.sort ?? collection.key}
                    routeTo={routeTo}
                  />
                ))}
                <th scope="col">
                  <span class="visually-hidden">Links and actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {value.rows.map((row) => (
                <TableRow key={String(row[collection.key])} collection={collection} row={row} categories={categories} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {value?.rows.length === 0 && (
        <Empty title={`No ${collection.title.toLowerCase()}`}>
          {isFiltered ? 'Change the filters to see more.' : 'Create one, or reset to another scenario under State.'}
        </Empty>
      )}
      {value && <Pages offset={Number(given.offset ?? 0)} total={value.total} routeTo={routeTo} />}
      {isCreating && <RecordForm collection={collection} categories={categories} onClose={() => setCreating(false)} />}
    </>
  )
}

type RouteTo = (changes: Record<string, string | undefined>) => string

function SortHeader(props: { name: string; label: string; sort: string; routeTo: RouteTo }) {
  const { name, label, sort, routeTo } = props
  const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined
  const next = direction === 'ascending' ? `-${name}` : name
  return (
    <th scope="col" aria-sort={direction}>
      <Link to={routeTo({ sort: next, offset: undefined })} class="sort">
        {label}
      </Link>
    </th>
  )
}

interface TableRowProps {
  readonly collection: Collection
  readonly row: Row
  readonly categories: ReadonlyMap<string, string>
}

function TableRow({ collection, row, categories }: TableRowProps) {
  const deletion = useAction()
  return (
    <>
      <tr>
        {collection.fields.map((field) => (
          <td key={field.name} data-label={field.label}>
            <Cell collection={collection} field={field} row={row} categories={categories} />
          </td>
        ))}
        <td>
          <RecordActions collection={collection} row={row} categories={categories} deletion={deletion} />
        </td>
      </tr>
      {deletion.failure && (
        <tr>
          <td colSpan={collection.fields.length + 1}>
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
      {offset > 0 && (
        <Link to={to(Math.max(0, offset - PER_PAGE))} class="button small">
          Previous
        </Link>
      )}
      <span>{offset >= total ? `0 of ${total}` : `${offset + 1} to ${last} of ${total}`}</span>
      {last < total && (
        <Link to={to(offset + PER_PAGE)} class="button small">
          Next
        </Link>
      )}
    </nav>
  )
}
