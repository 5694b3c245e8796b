import { useEffect, useRef } from 'preact/hooks'
import type { Admin } from '../api.js'
import { Alert, Button, download, Empty } from '../components/display.js'
import { useAction, useAdmin, useDashboard, useRoute } from '../context.js'
import { plural } from '../format.js'
import { prettyJson } from '../pretty-json.js'
import { toRoute } from '../router.js'
import { RequestDetail } from './detail.js'
import { matches, RequestFilters, readFilter } from './filters.js'
import { RequestList } from './list.js'

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
  const filter = readFilter(query)
  const shown = journal?.entries.filter((entry) => matches(entry, filter)).reverse() ?? []
  const hidden = (journal?.entries.length ?? 0) - shown.length
  const routeTo = (id: string | undefined, changed = filter) =>
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
          <RequestList entries={shown} selected={selected} routeTo={(id) => routeTo(id)} />
        ) : (
          <NoRequests journal={journal} />
        )}
      </div>
      {selected !== undefined && <RequestDetail key={selected} id={selected} back={routeTo(undefined)} />}
    </div>
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
