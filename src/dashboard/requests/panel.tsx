import { useEffect, useRef } from 'preact/hooks'
import { Alert, download, Empty } from '../components/display.js'
import { useAction, useDashboard, useRoute } from '../context.js'
import { plural } from '../format.js'
import { useObservable } from '../observable.js'
import { prettyJson } from '../pretty-json.js'
import { toRoute } from '../router.js'
import { RequestDetail } from './detail.js'
import { Filters, matches, type RequestFilter, readFilter } from './filters.js'
import { RequestList } from './list.js'

/** The recorded requests, as they arrive. */
export function RequestsPanel() {
  const { live, router } = useDashboard()
  const { segments, query } = useRoute()
  const { entries } = useObservable(live.journal.view)
  const filter = readFilter(query)
  const selected = segments[1]
  const ref = useRef<HTMLDivElement>(null)
  const previous = useRef(selected)
  useEffect(() => {
    // After a request is closed, the focus returns to its row.
    if (selected === undefined && previous.current !== undefined) {
      ref.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(previous.current)}"] .path`)?.focus()
    }
    previous.current = selected
  }, [selected])
  const shown = entries.filter((entry) => matches(entry, filter)).reverse()
  const routeTo = (id: string | undefined, changes: Partial<RequestFilter> = {}) =>
    toRoute(id === undefined ? '/requests' : `/requests/${id}`, { ...filter, ...changes })

  return (
    <div ref={ref} class={selected === undefined ? 'split' : 'split with-detail'}>
      <div>
        <Tools hidden={entries.length - shown.length} />
        <Filters filter={filter} onChange={(changes) => router.go(routeTo(selected, changes), { replace: true })} />
        {shown.length > 0 ? (
          <RequestList entries={shown} selected={selected} routeTo={(id) => routeTo(String(id))} />
        ) : (
          <NoRequests />
        )}
      </div>
      {selected !== undefined && <RequestDetail key={selected} id={selected} back={routeTo(undefined)} />}
    </div>
  )
}

function NoRequests() {
  const { api, live } = useDashboard()
  const { loaded, entries, total, paused } = live.journal.view.get()
  if (!loaded) return <div class="empty" aria-busy="true" />
  if (entries.length > 0) return <Empty title="No matching requests">Change the filters to see more.</Empty>
  if (total > 0 && !paused) {
    return <Empty title="The journal is off">The mock was started with a journal size of 0.</Empty>
  }
  return <Empty title="No requests yet">Send one to {api.base}/pets and it appears here.</Empty>
}

function Tools({ hidden }: { readonly hidden: number }) {
  const { api, live } = useDashboard()
  const { paused, pending, total, failure } = useObservable(live.journal.view)
  const action = useAction()
  const saveHar = () =>
    action.run(async () => download('petstore-mock.har', prettyJson(await api.admin('GET', '/journal.har'))))
  return (
    <>
      <div class="tools between">
        <p>
          <strong>{plural(total, 'request')}</strong>
          {hidden > 0 && <span class="quiet"> · {hidden} hidden</span>}
          {paused && <strong> · paused, {pending.length} new</strong>}
        </p>
        <div class="actions">
          <button
            type="button"
            class="button small"
            aria-pressed={paused}
            onClick={() => live.journal.setPaused(!paused)}
          >
            {paused ? 'Resume' : 'Pause'}
          </button>
          <button type="button" class="button small" onClick={() => action.run(() => live.journal.clear())}>
            Clear
          </button>
          <button type="button" class="button small" onClick={saveHar}>
            Save as HAR
          </button>
        </div>
      </div>
      <Alert failure={failure ?? action.failure} />
    </>
  )
}
