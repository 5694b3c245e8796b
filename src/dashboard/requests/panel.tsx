import { useEffect, useRef, useState } from 'preact/hooks'
import { useAction } from '../action.js'
import type { Admin } from '../api.js'
import { Alert, Badge, Button, download, Empty, Link, StatusBadge } from '../components/display.js'
import type { Values } from '../components/form.js'
import { useDashboard, useRoute } from '../context.js'
import { duration, plural, timeOfDay } from '../format.js'
import { prettyJson } from '../pretty-json.js'
import { useAdmin } from '../resource.js'
import { toRoute } from '../router.js'
import { targetOf } from '../snippets.js'
import { RequestDetail } from './detail.js'
import { matches, RequestFilters } from './filters.js'

type Journal = Admin['Journal']

/** The list has the newest requests only. The HAR download has all that the mock has recorded. */
const PATH = '/journal?limit=300'

/** The recorded requests, as they arrive. */
export function RequestsPanel() {
  const { api, pausedJournal: paused, setPausedJournal, router } = useDashboard()
  const { segments, query } = useRoute()
  const { value: current, failure, reload } = useAdmin<Journal>(PATH, { topics: ['request', 'reset'] })
  const action = useAction()
  const selected = segments[1]
  const ref = useFocusReturn(selected)
  const journal = paused ?? current
  const filter: Values = Object.fromEntries(query)
  const shown = journal?.entries.filter((entry) => matches(entry, filter)).reverse() ?? []
  const hidden = (journal?.entries.length ?? 0) - shown.length
  const routeTo = (id?: string, changed = filter) =>
    toRoute(id === undefined ? '/requests' : `/requests/${id}`, changed)

  const clear = () =>
    action.run(async () => {
      await api.admin('DELETE', '/journal')
      if (paused) setPausedJournal({ entries: [], total: 0, evicted: 0 })
      await reload()
    })
  const saveHar = () =>
    action.run(async () => download('petstore-mock.har', prettyJson(await api.admin('GET', '/journal.har'))))

  return (
    <div ref={ref} class={selected === undefined ? 'split' : 'split with-detail'}>
      <div>
        <div class="tools between">
          <p>
            <strong>{journal && plural(journal.total, 'request')}</strong>
            {hidden > 0 && <span class="quiet"> · {hidden} hidden</span>}
            {paused && <strong> · paused, {Math.max(0, (current?.total ?? 0) - paused.total)} new</strong>}
          </p>
          <div class="actions">
            <Button
              text={paused ? 'Resume' : 'Pause'}
              aria-pressed={paused !== undefined}
              onClick={() => setPausedJournal(paused ? undefined : current)}
            />
            <Button text="Clear" onClick={clear} />
            <Button text="Save as HAR" onClick={saveHar} />
          </div>
        </div>
        <Alert failure={failure ?? action.failure} />
        <RequestFilters
          filter={filter}
          onChange={(changed) => router.go(routeTo(selected, changed), { replace: true })}
        />
        {shown.length > 0 ? (
          <RequestList entries={shown} selected={selected} routeTo={routeTo} />
        ) : (
          <NoRequests journal={journal} />
        )}
      </div>
      {selected !== undefined && <RequestDetail key={selected} id={selected} back={routeTo()} />}
    </div>
  )
}

interface RequestListProps {
  /** Newest first. */
  entries: readonly Admin['JournalEntry'][]
  selected: string | undefined
  routeTo: (id: string) => string
}

const PER_PAGE = 100

function RequestList({ entries, selected, routeTo }: RequestListProps) {
  const [limit, setLimit] = useState(PER_PAGE)
  return (
    <>
      <table class="table requests">
        <caption class="visually-hidden">Requests, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Method</th>
            <th scope="col">Path</th>
            <th scope="col">Operation</th>
            <th scope="col">Time</th>
          </tr>
        </thead>
        <tbody>
          {entries.slice(0, limit).map((entry) => {
            const id = String(entry.id)
            return <Row key={`${id} ${entry.at}`} entry={entry} isCurrent={id === selected} to={routeTo(id)} />
          })}
        </tbody>
      </table>
      {entries.length > limit && (
        <div class="pages">
          <Button text="Show older requests" kind="regular" onClick={() => setLimit(limit + PER_PAGE)} />
        </div>
      )}
    </>
  )
}

function Row({ entry, isCurrent, to }: { entry: Admin['JournalEntry']; isCurrent: boolean; to: string }) {
  const { router } = useDashboard()
  const { id, status, method, operation, at, durationMs, fault, violations } = entry
  return (
    // For the keyboard there is the link.
    <tr data-id={id} class={isCurrent ? 'current' : ''} onClick={() => router.go(to)}>
      <td>
        <StatusBadge status={status} />
      </td>
      <td class="mono">{method}</td>
      <td>
        <Link to={to} text={targetOf(entry)} class="path" isCurrent={isCurrent} />
        {fault && <Badge kind="warn">fault: {fault.kind}</Badge>}
        {violations && (
          <Badge kind="bad">
            {violations.length > 1 ? `contract violations: ${violations.length}` : 'contract violation'}
          </Badge>
        )}
      </td>
      <td>{operation ?? <span class="quiet">none</span>}</td>
      <td title={at}>
        {timeOfDay(at)} <span class="quiet">{duration(durationMs)}</span>
      </td>
    </tr>
  )
}

/** Returns the focus to the row of a request when the request is closed. */
function useFocusReturn(selected: string | undefined) {
  const ref = useRef<HTMLDivElement>(null)
  const previous = useRef(selected)
  useEffect(() => {
    if (selected === undefined && previous.current !== undefined) {
      ref.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(previous.current)}"] .path`)?.focus()
    }
    previous.current = selected
  }, [selected])
  return ref
}

function NoRequests({ journal }: { journal: Journal | undefined }) {
  const { api } = useDashboard()
  if (journal === undefined) return <div class="empty" aria-busy="true" />
  if (journal.entries.length > 0) return <Empty title="No matching requests">Change the filters to see more.</Empty>
  if (journal.total > 0) {
    return <Empty title="The journal is off">The mock was started with a journal size of 0.</Empty>
  }
  return <Empty title="No requests yet">Send one to {api.base}/pets and it appears here.</Empty>
}
