import { useEffect, useRef } from 'preact/hooks'
import { download } from '../browser-files.js'
import { useAction, useDesk, useResource, useRoute } from '../context.js'
import { plural } from '../format.js'
import { useObservable } from '../observable.js'
import { Empty, Problem } from '../parts/bits.js'
import { Choice, Text } from '../parts/field.js'
import { prettyJson } from '../pretty.js'
import { toRoute } from '../router.js'
import type { Coverage, JournalEntry } from '../types.js'
import { RequestDetail } from './detail.js'
import { matches, type RequestFilter, readFilter } from './filter.js'
import { RequestList } from './list.js'

/** What the store is asked, as it is asked. */
export function RequestsPanel() {
  const { live, router } = useDesk()
  const { segments, query } = useRoute()
  const view = useObservable(live.journal.view)
  const filter = readFilter(query)
  const selected = segments[1]
  const place = useRef<HTMLDivElement>(null)
  const before = useRef(selected)
  useEffect(() => {
    // Whoever closes a request is back at its row.
    const row =
      selected === undefined && before.current && place.current?.querySelector(`[data-id="${before.current}"] .path`)
    if (row instanceof HTMLElement) row.focus()
    before.current = selected
  }, [selected])
  const shown = view.entries.filter((entry) => matches(entry, filter)).reverse()
  const routeTo = (id: string | undefined, other: Partial<RequestFilter> = {}) =>
    toRoute(id === undefined ? '/requests' : `/requests/${id}`, { ...filter, ...other })

  return (
    <div ref={place} class={selected === undefined ? 'split' : 'split with-detail'}>
      <div class="split-list">
        <Tools hidden={view.entries.length - shown.length} />
        <Filters filter={filter} onChange={(other) => router.go(routeTo(selected, other), { replace: true })} />
        {shown.length > 0 ? (
          <RequestList entries={shown} selected={selected} routeTo={(id) => routeTo(String(id))} />
        ) : (
          <Nothing entries={view.entries} />
        )}
      </div>
      {selected !== undefined && <RequestDetail key={selected} id={selected} back={routeTo(undefined)} />}
    </div>
  )
}

function Nothing({ entries }: { readonly entries: readonly JournalEntry[] }) {
  const { api, live } = useDesk()
  const { known, total, paused } = live.journal.view.get()
  if (!known) return <div class="empty" aria-busy="true" />
  if (entries.length > 0) return <Empty title="Nothing fits the filters">Widen them to see more.</Empty>
  if (total > 0 && !paused) {
    return <Empty title="The journal is switched off">The mock was started with a journal size of 0.</Empty>
  }
  return <Empty title="No requests yet">{`Send one to ${api.base}/pets, and it appears here at once.`}</Empty>
}

function Tools({ hidden }: { readonly hidden: number }) {
  const { api, live } = useDesk()
  const { paused, waiting, total, problem } = useObservable(live.journal.view)
  const action = useAction()
  const saveHar = () =>
    action.run(async () => download('petstore-mock.har', prettyJson(await api.control('GET', '/journal.har'))))
  return (
    <>
      <div class="tools">
        <p class="count">
          {plural(total, 'request')}
          {hidden > 0 && <span class="quiet"> · {hidden} not shown</span>}
          {paused && <strong> · paused, {waiting.length} new</strong>}
        </p>
        <div class="actions">
          <button
            type="button"
            class="button small"
            aria-pressed={paused}
            onClick={() => live.journal.setPaused(!paused)}
          >
            {paused ? 'Go on' : 'Pause'}
          </button>
          <button type="button" class="button small" onClick={() => action.run(() => live.journal.clear())}>
            Clear
          </button>
          <button type="button" class="button small" onClick={saveHar}>
            Save as HAR
          </button>
        </div>
      </div>
      <Problem of={problem ?? action.problem} />
    </>
  )
}

const STATUSES = [
  ['', 'Any status'],
  ['2xx', '2xx'],
  ['4xx', '4xx'],
  ['5xx', '5xx'],
  ['none', 'No answer'],
] as const
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

interface FiltersProps {
  readonly filter: RequestFilter
  readonly onChange: (other: Partial<RequestFilter>) => void
}

function Filters({ filter, onChange }: FiltersProps) {
  const { api } = useDesk()
  const { value: coverage } = useResource('operations', () => api.control<Coverage>('GET', '/coverage'))
  const known = coverage?.operations.map(({ operation }) => operation) ?? []
  const operations = known.includes(filter.operation) || filter.operation === '' ? known : [...known, filter.operation]
  return (
    <search class="filters of-requests">
      <Text
        label="Search"
        type="search"
        value={filter.text}
        placeholder="Path, query, operation"
        onInput={(text) => onChange({ text })}
      />
      <Choice
        label="Operation"
        value={filter.operation}
        options={[['', 'Any operation'], ...operations.map((name) => [name, name] as const)]}
        onChange={(operation) => onChange({ operation })}
      />
      <Choice label="Status" value={filter.status} options={STATUSES} onChange={(status) => onChange({ status })} />
      <Choice
        label="Method"
        value={filter.method}
        options={[['', 'Any method'], ...METHODS.map((name) => [name, name] as const)]}
        onChange={(method) => onChange({ method })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={filter.own !== ''}
          onChange={(event) => onChange({ own: event.currentTarget.checked ? 'shown' : '' })}
        />
        Include what this dashboard reads
      </label>
    </search>
  )
}
