import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Admin, ApiFailure } from '../api.js'
import { Badge, Button, download, Empty, Link, LoadState, StatusBadge } from '../components/display.js'
import { Field, Filters, type Values } from '../components/form.js'
import { useAction, useDashboard, useRoute } from '../context.js'
import { duration, plural, prettyJson, timeOfDay } from '../format.js'
import { useAllJournals, useJournal, useOperations } from '../resource.js'
import { toRoute } from '../router.js'
import { RequestDetail } from './detail.js'
import { saveReproduction } from './reproduction.js'
import {
  countNew,
  describePart,
  identityOf,
  keyOf,
  type ListedRequest,
  type RequestList,
  targetOf,
} from './request-list.js'

/** The recorded requests, as they arrive. */
export function RequestsPanel() {
  const isAll = useRoute().query.get('sandboxes') === 'all'
  return isAll ? <AllRequests key="all" /> : <OwnRequests key="own" />
}

function OwnRequests() {
  const { api, router, pausedJournal, setPausedJournal } = useDashboard()
  const { query } = useRoute()
  const { value, failure, reload } = useJournal()
  const action = useAction()
  const clear = () =>
    action.run(async () => {
      await api.admin('clearJournal')
      if (pausedJournal) setPausedJournal({ isAll: false, entries: [], total: 0 })
      // Closes the request that is open.
      router.go(toRoute('/requests', Object.fromEntries(query)), { replace: true })
      await reload()
    })
  const saveHar = () =>
    action.run(async () => download('petstore-mock.har', prettyJson(await api.admin('getJournalHar'))))
  return (
    <Requests isAll={false} current={value && { ...value, isAll: false }} failure={failure ?? action.failure}>
      <Button text="Clear" onClick={clear} />
      <Button text="Save as HAR" onClick={saveHar} />
      <Button text="Save reproduction" onClick={() => action.run(() => saveReproduction(api))} />
    </Requests>
  )
}

function AllRequests() {
  const { value, failure } = useAllJournals()
  return <Requests isAll current={value} failure={failure} />
}

interface RequestsProps {
  isAll: boolean
  current: RequestList | undefined
  failure: ApiFailure | undefined
  /** More buttons. */
  children?: ComponentChildren
}

function Requests({ isAll, current, failure, children }: RequestsProps) {
  const { pausedJournal, setPausedJournal, router } = useDashboard()
  const { segments, query } = useRoute()
  const selected = segments[1]
  /** The request that was chosen last. Its time tells it from a later one with the same id. */
  const [chosen, setChosen] = useState<ListedRequest>()
  const selectedAt = chosen && keyOf(chosen) === selected ? chosen.at : undefined
  const paused = pausedJournal?.isAll === isAll ? pausedJournal : undefined
  useEffect(() => {
    if (pausedJournal?.isAll !== isAll) setPausedJournal(undefined)
  }, [])
  const ref = useFocusReturn(selected)
  /** In a narrow window, what is not needed to read the list. */
  const [isFolded, setFolded] = useState(true)
  const list = paused ?? current
  const filter: Values = Object.fromEntries(query)
  const shown = list?.entries.filter((entry) => matches(entry, filter)).reverse() ?? []
  const hidden = (list?.entries.length ?? 0) - shown.length
  const routeTo = (entry: ListedRequest) => toRoute(`/requests/${keyOf(entry)}`, filter)
  const routeToList = (changed: Values = {}) => toRoute('/requests', { ...filter, ...changed })

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are pressed on the links inside
    <div
      ref={ref}
      class={selected === undefined ? 'split' : 'split with-detail'}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && selected !== undefined && canClose(event)) {
          event.preventDefault()
          router.go(routeToList())
        } else moveFocus(event)
      }}
    >
      <div class={isFolded ? 'folded' : ''}>
        <div class="tools between">
          <p>
            <strong>{list && plural(list.total, 'request')}</strong>
            {list && <span class="quiet">{describePart(list)}</span>}
            {hidden > 0 && <span class="quiet"> · {hidden} hidden</span>}
            {paused && <strong> · paused, {countNew(paused, current)} new</strong>}
          </p>
          <div class="actions">
            <Button
              text={paused ? 'Resume' : 'Pause'}
              aria-pressed={paused !== undefined}
              onClick={() => setPausedJournal(paused ? undefined : current)}
            />
            <span class="actions foldable">{children}</span>
            <Button
              text="Filters and more"
              kind="small unfold"
              aria-expanded={!isFolded}
              onClick={() => setFolded(!isFolded)}
            />
          </div>
        </div>
        <RequestFilters
          filter={filter}
          onChange={(changed) => {
            const path = segments.length > 1 ? `/requests/${selected}` : '/requests'
            router.go(toRoute(path, { ...filter, ...changed }), { replace: true })
          }}
        />
        <LoadState value={list} failure={failure} />
        {shown.length > 0 ? (
          <RequestTable
            entries={shown}
            isCurrent={(entry) => keyOf(entry) === selected && (selectedAt ?? entry.at) === entry.at}
            routeTo={routeTo}
            onOpen={(entry) => {
              setChosen(entry)
              router.go(routeTo(entry))
            }}
          />
        ) : (
          list && <NoRequests list={list} />
        )}
      </div>
      {selected !== undefined && (
        <RequestDetail key={`${selected} ${selectedAt}`} id={selected} at={selectedAt} routeToList={routeToList} />
      )}
    </div>
  )
}

interface RequestTableProps {
  /** Newest first. */
  entries: readonly ListedRequest[]
  isCurrent: (entry: ListedRequest) => boolean
  routeTo: (entry: ListedRequest) => string
  onOpen: (entry: ListedRequest) => void
}

/** More would make each update of the page too slow while many requests arrive. */
const PER_PAGE = 50

/** The class and the label of each column. */
const COLUMNS = [
  ['status', 'Status'],
  ['method', 'Method'],
  ['target', 'Path'],
  ['operation', 'Operation'],
  ['sandbox', 'Sandbox'],
  ['time', 'Time'],
] as const

function RequestTable({ entries, isCurrent, routeTo, onOpen }: RequestTableProps) {
  const [limit, setLimit] = useState(PER_PAGE)
  const shown = entries.slice(0, limit)
  const isAll = shown[0]?.sandbox !== undefined
  const longestMs = Math.max(...shown.map(({ durationMs }) => durationMs))
  return (
    <>
      <table class="table requests">
        <caption class="visually-hidden">Requests, newest first</caption>
        <thead>
          <tr>
            {COLUMNS.map(
              ([name, label]) =>
                (isAll || name !== 'sandbox') && (
                  <th key={name} scope="col" class={name}>
                    {label}
                  </th>
                ),
            )}
          </tr>
        </thead>
        <tbody>
          {shown.map((entry) => (
            <Row
              key={identityOf(entry)}
              entry={entry}
              isCurrent={isCurrent(entry)}
              to={routeTo(entry)}
              onOpen={() => onOpen(entry)}
              share={entry.pending ? 0 : entry.durationMs / longestMs}
            />
          ))}
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

interface RowProps {
  entry: ListedRequest
  isCurrent: boolean
  to: string
  onOpen: () => void
  /** Its duration as a share of the longest one shown. */
  share: number
}

function Row({ entry, isCurrent, to, onOpen, share }: RowProps) {
  const { sandbox, method, operation, at, pending, durationMs, fault, override, violations, stateless } = entry
  return (
    // For the keyboard there is the link.
    <tr
      data-key={keyOf(entry)}
      class={isCurrent ? 'current' : ''}
      // With one of these keys, the browser opens the link in another tab or window.
      onClick={({ ctrlKey, metaKey, shiftKey }) => ctrlKey || metaKey || shiftKey || onOpen()}
    >
      <td class="status">
        <StatusBadge {...entry} />
      </td>
      <td class="method mono">{method}</td>
      <td class="target">
        <Link to={to} text={targetOf(entry)} class="path" isCurrent={isCurrent} />
        {stateless && <Badge>no state</Badge>}
        {fault && <Badge kind="warn">fault: {fault.kind}</Badge>}
        {override !== undefined && <Badge kind="warn">override {override}</Badge>}
        {violations && (
          <Badge kind="bad">
            {violations.length > 1 ? `contract violations: ${violations.length}` : 'contract violation'}
          </Badge>
        )}
      </td>
      <td class="operation">{operation ?? <span class="quiet">none</span>}</td>
      {sandbox !== undefined && <td class="sandbox">{sandbox || 'Main'}</td>}
      <td class="time" title={at}>
        {timeOfDay(at)} <span class="quiet">{pending || duration(durationMs)}</span>
        <span class="bar" style={{ width: `${share * 100}%` }} />
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
      ref.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(previous.current)}"] .path`)?.focus()
    }
    previous.current = selected
  }, [selected])
  return ref
}

/** Esc in a field is for the field, and in an open menu for the menu. */
function canClose({ target, defaultPrevented }: KeyboardEvent): boolean {
  return !defaultPrevented && !(target as Element).matches('input, select')
}

/** Moves the focus between the requests with the arrow keys. */
function moveFocus(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const focused = event.target as HTMLElement
  if (step === undefined || !focused.matches('.requests .path')) return
  event.preventDefault()
  const row = focused.closest('tr')
  const next = step > 0 ? row?.nextElementSibling : row?.previousElementSibling
  next?.querySelector<HTMLElement>('.path')?.focus()
}

function NoRequests({ list }: { list: RequestList }) {
  const { api } = useDashboard()
  if (list.entries.length > 0) {
    return (
      <Empty title="No matching requests">
        {list.entries.length < list.total
          ? `The filters search the newest ${list.entries.length} of ${list.total} requests. The HAR has all that are recorded.`
          : 'Change the filters to see more.'}
      </Empty>
    )
  }
  if (list.total > 0) {
    return <Empty title="The journal is off">The mock was started with a journal size of 0.</Empty>
  }
  return <Empty title="No requests yet">Send one to {api.base} and it appears here.</Empty>
}

/**
 * Whether a request matches the filters of the list by name. A missing one matches everything except preflight requests,
 * which browsers send on their own.
 */
function matches(entry: Admin['JournalEntry'], { text = '', operation, status, method }: Values): boolean {
  if (!method && isPreflight(entry)) return false
  const statusClass = entry.status === 0 ? 'none' : `${String(entry.status)[0]}xx`
  const searched = `${entry.method} ${targetOf(entry)} ${entry.operation ?? ''}`
  return (
    (!operation || entry.operation === operation) &&
    (!status || statusClass === status) &&
    (!method || entry.method === method) &&
    searched.toLowerCase().includes(text.toLowerCase())
  )
}

function isPreflight({ method, request }: Admin['JournalEntry']): boolean {
  return method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
}

const STATUSES = [['', 'Any status'], '2xx', '4xx', '5xx', ['none', 'No response']] as const
const METHODS = [['', 'Any but preflights'], 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const

function RequestFilters({ filter, onChange }: { filter: Values; onChange: (filter: Values) => void }) {
  const { text = '', operation = '', status = '', method = '' } = filter
  const names = useOperations().map((each) => each.operation)
  const operations = new Set([...names, ...(operation ? [operation] : [])])
  return (
    <Filters onInput={onChange}>
      <Field name="text" label="Search" type="search" value={text} placeholder="Path or operation" />
      <Field name="operation" label="Operation" value={operation} options={[['', 'Any operation'], ...operations]} />
      <Field name="status" label="Status" value={status} options={STATUSES} />
      <Field name="method" label="Method" value={method} options={METHODS} />
    </Filters>
  )
}
