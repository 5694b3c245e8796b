import { useState } from 'preact/hooks'
import { useAction, useDesk, useResource } from '../context.js'
import { plural } from '../format.js'
import { Empty, Problem } from '../parts/bits.js'
import { Choice, Text } from '../parts/field.js'
import { Link } from '../parts/link.js'
import { toRoute } from '../router.js'
import { Cell } from './cell.js'
import { RecordForm } from './form.js'
import { type Kind, linksOf, type Row } from './kinds.js'
import { RowActions } from './row-actions.js'

const PER_PAGE = 20

export interface RecordTableProps {
  readonly kind: Kind
  readonly query: URLSearchParams
  readonly categories: ReadonlyMap<string, string>
}

/** One page of a list, with everything that the API's own query parameters can do. */
export function RecordTable({ kind, query, categories }: RecordTableProps) {
  const { api, router } = useDesk()
  const [creating, setCreating] = useState(false)
  const given = Object.fromEntries(query)
  const offset = Number(given.offset ?? 0)
  const address = toRoute(kind.path, { ...given, limit: String(PER_PAGE) })
  const { value, problem } = useResource(
    address,
    async () => {
      const { headers, body } = await api.read(address)
      return { rows: body as Row[], total: Number(headers.get('X-Total-Count')) }
    },
    { topics: ['state', 'reset'] },
  )
  const routeTo = (other: Record<string, string | undefined>) => toRoute(`/data/${kind.name}`, { ...given, ...other })

  return (
    <>
      <div class="tools">
        <p class="count" role="status">
          {value ? `${plural(value.total, 'record')}` : ' '}
        </p>
        <div class="actions">
          {kind.create && (
            <button type="button" class="button primary" onClick={() => setCreating(true)}>
              New {kind.one}
            </button>
          )}
        </div>
      </div>
      <search class="filters">
        {kind.filters.map(({ name, label, options }) => {
          const shared = {
            label,
            value: given[name] ?? '',
            problem: problem?.field === name ? problem.message : undefined,
          }
          const set = (text: string) => router.go(routeTo({ [name]: text, offset: undefined }), { replace: true })
          return options ? (
            <Choice
              key={name}
              {...shared}
              options={[['', 'Any'], ...options.map((o) => [o, o] as const)]}
              onChange={set}
            />
          ) : (
            <Text key={name} {...shared} type="search" onInput={set} />
          )
        })}
      </search>
      {!kind.filters.some(({ name }) => name === problem?.field) && <Problem of={problem} />}
      {value && value.rows.length > 0 && (
        <div class="scroll">
          <table class="table">
            <caption class="out-of-sight">{kind.title}</caption>
            <thead>
              <tr>
                {kind.fields.map(({ name, label }) => (
                  <SortHeader key={name} name={name} label={label} sort={given.sort ?? kind.key} routeTo={routeTo} />
                ))}
                <th scope="col">
                  <span class="out-of-sight">Related, and what can be done</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {value.rows.map((row) => (
                <TableRow key={String(row[kind.key])} kind={kind} row={row} categories={categories} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {value && value.rows.length === 0 && (
        <Empty title={`No ${kind.title.toLowerCase()} here`}>{emptyHint(query)}</Empty>
      )}
      {value && <Pages offset={offset} total={value.total} routeTo={routeTo} />}
      {creating && <RecordForm kind={kind} categories={categories} onClose={() => setCreating(false)} />}
    </>
  )
}

function emptyHint(query: URLSearchParams): string {
  const isNarrowed = [...query.keys()].some((name) => name !== 'sort')
  return isNarrowed ? 'Widen the filters to see more.' : 'Create one, or reset into another scenario under World.'
}

type RouteTo = (other: Record<string, string | undefined>) => string

function SortHeader(props: { name: string; label: string; sort: string; routeTo: RouteTo }) {
  const { name, label, sort, routeTo } = props
  const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined
  const next = direction === 'ascending' ? `-${name}` : name
  return (
    <th scope="col" aria-sort={direction}>
      <Link to={routeTo({ sort: next, offset: undefined })} class={`sort ${direction ?? ''}`}>
        {label}
      </Link>
    </th>
  )
}

function TableRow({ kind, row, categories }: { kind: Kind; row: Row; categories: ReadonlyMap<string, string> }) {
  const deletion = useAction()
  return (
    <>
      <tr>
        {kind.fields.map((field) => (
          <td key={field.name} data-label={field.label}>
            <Cell kind={kind} field={field} row={row} categories={categories} />
          </td>
        ))}
        <td class="row-actions">
          <div class="actions end">
            {linksOf(kind, row).map(([to, label]) => (
              <Link key={to} to={to}>
                {label}
              </Link>
            ))}
            <RowActions kind={kind} row={row} categories={categories} deletion={deletion} />
          </div>
        </td>
      </tr>
      {deletion.problem && (
        <tr>
          <td colSpan={kind.fields.length + 1}>
            <Problem of={deletion.problem} />
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
    <nav class="pages" aria-label="Pages of the list">
      {offset > 0 ? (
        <Link to={to(Math.max(0, offset - PER_PAGE))} class="button small">
          Previous
        </Link>
      ) : (
        <span />
      )}
      <span>{total === 0 || offset >= total ? `nothing of ${total}` : `${offset + 1} to ${last} of ${total}`}</span>
      {last < total ? (
        <Link to={to(offset + PER_PAGE)} class="button small">
          Next
        </Link>
      ) : (
        <span />
      )}
    </nav>
  )
}
