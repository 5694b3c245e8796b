import { useEffect, useRef } from 'preact/hooks'
import { type Admin, splitBase, toBase } from '../api.js'
import { Badge, Code, Facts, Link, LoadState, StatusBadge } from '../components/display.js'
import { useDashboard } from '../context.js'
import { dateAndTime, duration } from '../format.js'
import { prettyJson } from '../pretty-json.js'
import { bodyText, isJson, targetOf } from '../recorded.js'
import { useResource } from '../resource.js'
import { RequestActions } from './actions.js'

/** One request and its response. `id` is its key in the list, `back` the path of the list. */
export function RequestDetail({ id, back }: { id: string; back: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // Reading and tabbing continue here.
  useEffect(() => heading.current?.focus(), [])
  const { api } = useDashboard()
  const [, sandbox, number] = /^(?:([\w.-]*):)?(.*)$/s.exec(id) as RegExpExecArray
  const base = sandbox === undefined ? api.base : toBase(splitBase(api.base).root, sandbox)
  const path = `/journal/${encodeURIComponent(number as string)}`
  const load = () => api.adminAt<Admin['JournalEntry']>(base, 'GET', path)
  const { value: entry, failure } = useResource(id, load, { topics: ['reset'] })
  return (
    <section class="detail card" aria-label={`Request ${id}`}>
      <div class="between">
        <h2 ref={heading} tabIndex={-1}>
          Request {number}
          {sandbox && ` of sandbox ${sandbox}`}
        </h2>
        <Link to={back} text="Close" class="button small" />
      </div>
      <LoadState value={entry} failure={failure} />
      {entry && failure === undefined && <Entry entry={entry} base={base} />}
    </section>
  )
}

/** `base` is the base URL of the instance that received the request. */
function Entry({ entry, base }: { entry: Admin['JournalEntry']; base: string }) {
  const { method, protocol, status, at, durationMs, operation, fault, violations, request, response } = entry
  return (
    <>
      <p>
        <StatusBadge status={status} /> <code>{method}</code> <code>{targetOf(entry)}</code>
      </p>
      <p class="quiet">
        {operation ? <Link to={`/requests?operation=${operation}`} text={operation} /> : 'no matching operation'}
        {' · '}
        {dateAndTime(at)} UTC · {duration(durationMs)}
        {protocol && ` · ${protocol}`}
        {fault && (
          <>
            {' · '}
            <Badge kind="warn">fault: {fault.kind}</Badge>{' '}
            {fault.id === undefined ? 'requested with Prefer' : <Link to="/faults" text={`rule ${fault.id}`} />}
          </>
        )}
      </p>
      {violations?.map((violation) => (
        <p key={violation} class="error">
          {violation}
        </p>
      ))}
      <RequestActions entry={entry} base={base} />
      <Message title="Request" entry={entry} message={request} />
      {status === 0 ? (
        <p class="quiet">No response was sent.</p>
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
