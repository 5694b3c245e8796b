import { useState } from 'preact/hooks'
import { Alert, Button, Empty, Link } from '../components/display.js'
import { Filters, SelectField, TextField } from '../components/form.js'
import { INTEGER } from '../constraints.js'
import { useAction, useDashboard, useResource } from '../context.js'
import { plural } from '../format.js'
import { toRoute } from '../router.js'
import type { Row } from './collections.js'
import { useData } from './context.js'
import { RecordForm } from './form.js'
import { Cell, RecordActions } from './record.js'

const PER_PAGE = 20

/** One page of a collection, sorted and filtered by the API. */
export function RecordTable({ query }: { readonly query: URLSearchParams }) {
  const { api, router } = useDashboard()
  const { collection } = useData()
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
          <Button kind="primary" onClick={() => setCreating(true)}>
            New {collection.singular}
          </Button>
        )}
      </div>
      <Filters onInput={(values) => router.go(routeTo({ ...values, offset: undefined }), { replace: true })}>
        {collection.filters.map(({ name, label, options, isText }) => {
          const field = { name, label, value: given[name] ?? '' }
          if (options) return <SelectField key={name} {...field} options={[['', 'Any'], ...options]} />
          return <TextField key={name} {...field} {...(isText ? { type: 'search' } : INTEGER)} />
        })}
      </Filters>
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
                <TableRow key={String(row[collection.key])} row={row} />
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
      {isCreating && <RecordForm onClose={() => setCreating(false)} />}
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

function TableRow({ row }: { readonly row: Row }) {
  const { fields } = useData().collection
  const deletion = useAction()
  return (
    <>
      <tr>
        {fields.map((field) => (
          <td key={field.name} data-label={field.label}>
            <Cell field={field} row={row} />
          </td>
        ))}
        <td>
          <RecordActions row={row} deletion={deletion} />
        </td>
      </tr>
      {deletion.failure && (
        <tr>
          <td colSpan={fields.length + 1}>
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
