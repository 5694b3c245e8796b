import { useEffect, useRef } from 'preact/hooks'
import { type Admin, splitBase, toBase } from '../api.js'
import { Badge, Code, Facts, Link, LoadState, StatusBadge } from '../components/display.js'
import type { Values } from '../components/form.js'
import { useDashboard } from '../context.js'
import { dateAndTime, duration, prettyJson } from '../format.js'
import { useResource } from '../resource.js'
import { RequestActions } from './actions.js'
import { notRecorded } from './reproduction.js'
import { bodyText, isJson, targetOf } from './request-list.js'

interface RequestDetailProps {
  /** Its key in the list. */
  id: string
  /** When it was recorded, if that is known. */
  at: string | undefined
  /** The path of the list, with other filters if they are given. */
  routeToList: (changed?: Values) => string
}

/** Events are those of one instance, and the request may be in another one. */
const PENDING_POLL_MS = 500

/** One request and its response. */
export function RequestDetail({ id, at, routeToList }: RequestDetailProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // Reading and tabbing continue here.
  useEffect(() => heading.current?.focus(), [])
  const { api } = useDashboard()
  const [, sandbox, number] = /^(?:([\w.-]*):)?(.*)$/s.exec(id) as RegExpExecArray
  const base = sandbox === undefined ? api.base : toBase(splitBase(api.base).root, sandbox)
  const shownAt = useRef(at)
  async function load(): Promise<Admin['JournalEntry']> {
    const loaded = await api.adminAt(base)('getJournalEntry', { path: { id: number } })
    shownAt.current ??= loaded.at
    // Ids restart when the journal is cleared.
    if (loaded.at !== shownAt.current) throw notRecorded()
    return loaded
  }
  const { value: entry, failure, reload } = useResource(id, load, { topics: ['reset'] })
  const isPending = entry?.pending === true
  useEffect(() => {
    if (!isPending) return
    const timer = setInterval(reload, PENDING_POLL_MS)
    return () => clearInterval(timer)
  }, [isPending])
  return (
    <section class="detail card" aria-label={`Request ${id}`}>
      <div class="between">
        <h2 ref={heading} tabIndex={-1}>
          Request {number}
          {sandbox && ` of sandbox ${sandbox}`}
        </h2>
        <Link to={routeToList()} text="Close" class="button small" />
      </div>
      <LoadState value={entry} failure={failure} />
      {entry && failure === undefined && <Entry entry={entry} base={base} routeToList={routeToList} />}
    </section>
  )
}

interface EntryProps extends Pick<RequestDetailProps, 'routeToList'> {
  entry: Admin['JournalEntry']
  /** The base URL of the instance that received the request. */
  base: string
}

function Entry({ entry, base, routeToList }: EntryProps) {
  const { method, protocol, status, pending, at, operation, fault, override, violations, upstream, request, response } =
    entry
  return (
    <>
      <p>
        <StatusBadge {...entry} /> <code>{method}</code> <code>{targetOf(entry)}</code>
      </p>
      <p class="quiet">
        {operation ? <Link to={routeToList({ operation })} text={operation} /> : 'no matching operation'}
        {' · '}
        {dateAndTime(at)} UTC{pending || ` · ${duration(entry.durationMs)}`}
        {protocol && ` · ${protocol}`}
        {upstream && (
          <>
            {' · '}
            <Badge kind={upstream.outcome === 'answered' ? 'accent' : 'warn'}>upstream: {upstream.outcome}</Badge>
          </>
        )}
        {fault && (
          <>
            {' · '}
            <Badge kind="warn">fault: {fault.kind}</Badge>{' '}
            {fault.id === undefined ? 'requested with Prefer' : <Link to="/faults" text={`rule ${fault.id}`} />}
          </>
        )}
        {override !== undefined && (
          <>
            {' · '}
            <Badge kind="warn">override</Badge> <Link to="/faults" text={`override ${override}`} />
          </>
        )}
      </p>
      {violations?.map((violation) => (
        <p key={violation} class="error">
          {upstream && 'Request: '}
          {violation}
        </p>
      ))}
      {upstream?.violations?.map((violation) => (
        <p key={violation} class="error">
          Response: {violation}
        </p>
      ))}
      {upstream?.reason && <p class="error">{upstream.reason}</p>}
      <RequestActions entry={entry} base={base} />
      <Message title="Request" entry={entry} message={request} />
      {status === 0 ? (
        <p class="quiet">{pending ? 'The response is delayed.' : 'No response was sent.'}</p>
      ) : (
        <Message title="Response" entry={entry} message={response} />
      )}
    </>
  )
}

interface MessageProps {
  title: 'Request' | 'Response'
  entry: Admin['JournalEntry']
  message: Admin['JournalMessage']
}

function Message({ title, entry, message }: MessageProps) {
  const headers = Object.entries(message.headers)
  const json = isJson(entry, message)
  const text = json && message.body !== undefined ? prettyJson(message.body) : bodyText(entry, message)
  return (
    <>
      <h3>{title}</h3>
      <details open={title === 'Response'}>
        <summary>{headers.length === 0 ? 'No headers' : `Headers (${headers.length})`}</summary>
        <Facts class="headers" facts={headers} />
      </details>
      {text === undefined ? <p class="quiet">No body</p> : <Code label={`${title} body`} text={text} json={json} />}
      {message.cut && <p class="quiet">The body is longer than the journal stores. This is its beginning.</p>}
    </>
  )
}
