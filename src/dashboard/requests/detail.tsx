import { useEffect, useRef, useState } from 'preact/hooks'
import { useAction, useDesk, useResource } from '../context.js'
import { dateAndTime, duration } from '../format.js'
import { Badge, Code, Problem, StatusBadge } from '../parts/bits.js'
import { CopyButton } from '../parts/copy-button.js'
import { Choice } from '../parts/field.js'
import { Link } from '../parts/link.js'
import { prettyJson } from '../pretty.js'
import { bodyText, isJson, targetOf, toCurl, toFetch } from '../snippets.js'
import type { JournalEntry, JournalMessage } from '../types.js'

export interface RequestDetailProps {
  readonly id: string
  /** The path of the list. */
  readonly back: string
}

/** One request and its answer, both messages in full. */
export function RequestDetail({ id, back }: RequestDetailProps) {
  const { api } = useDesk()
  const heading = useRef<HTMLHeadingElement>(null)
  // So that the way through the page goes on here; in a narrow window the list is gone.
  useEffect(() => heading.current?.focus({ preventScroll: !isNarrow(heading.current) }), [])
  const path = `/journal/${encodeURIComponent(id)}`
  const { value: entry, problem } = useResource(path, () => api.control<JournalEntry>('GET', path), {
    topics: ['reset'],
  })
  return (
    <section class="split-detail card" aria-label={`Request ${id}`}>
      <div class="detail-head">
        <h2 ref={heading} tabIndex={-1}>
          Request {id}
        </h2>
        <Link to={back} class="button small">
          Close
        </Link>
      </div>
      <Problem of={problem} />
      {entry && problem === undefined && <Entry entry={entry} />}
    </section>
  )
}

/** Whether the detail takes the place of the list, which may have been scrolled far down. */
function isNarrow(heading: HTMLElement): boolean {
  return heading.closest('.split')?.querySelector('.split-list')?.checkVisibility() === false
}

function Entry({ entry }: { readonly entry: JournalEntry }) {
  const { api } = useDesk()
  const { method, status, at, durationMs, operation, fault, violations, request, response } = entry
  return (
    <>
      <p class="detail-target">
        <StatusBadge status={status} />
        <span class="method">{method}</span>
        <code>{targetOf(entry)}</code>
      </p>
      <p class="detail-facts">
        {operation ? <Link to={`/requests?operation=${operation}`}>{operation}</Link> : 'no operation of the document'}
        {' · '}
        {dateAndTime(at)} UTC · {duration(durationMs)}
        {fault && (
          <>
            {' · '}
            <Badge kind="warn">fault: {fault.kind}</Badge>{' '}
            {fault.id === undefined ? 'asked for with Prefer' : <Link to="/faults">rule {fault.id}</Link>}
          </>
        )}
      </p>
      {violations?.map((violation) => (
        <p key={violation} class="problem box">
          {violation}
        </p>
      ))}
      <div class="actions">
        <CopyButton text={() => toCurl(api.base, entry)} what="the request as curl">
          Copy as curl
        </CopyButton>
        <CopyButton text={() => toFetch(api.base, entry)} what="the request as fetch">
          Copy as fetch
        </CopyButton>
      </div>
      <FailNext operation={operation} />
      <Message title="Request" entry={entry} message={request} />
      {status === 0 ? (
        <p class="quiet">No answer was sent.</p>
      ) : (
        <Message title="Answer" entry={entry} message={response} />
      )}
    </>
  )
}

interface MessageProps {
  readonly title: string
  readonly entry: JournalEntry
  readonly message: JournalMessage
}

function Message({ title, entry, message }: MessageProps) {
  const headers = Object.entries(message.headers)
  const json = isJson(entry, message)
  const text = json && message.body !== undefined ? prettyJson(message.body) : bodyText(entry, message)
  return (
    <>
      <h3>{title}</h3>
      <details open={title === 'Answer'}>
        <summary>{headers.length === 0 ? 'No headers' : `Headers (${headers.length})`}</summary>
        <dl class="headers">
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      {text === undefined ? (
        <p class="quiet">No body.</p>
      ) : (
        <Code label={`Body of the ${title.toLowerCase()}`} text={text} json={json} />
      )}
      {message.cut && <p class="quiet">The body was too long to be kept: this is its beginning.</p>}
    </>
  )
}

const STATUSES = ['503', '500', '429', '404', '409', '401'].map((status) => [status, status] as const)

/** A fault rule for what was asked here, for one time. */
function FailNext({ operation }: { readonly operation: string | undefined }) {
  const { api, live, notify } = useDesk()
  const [status, setStatus] = useState('503')
  const action = useAction()
  if (operation === undefined) return null

  const add = () =>
    action.run(async () => {
      await api.control('POST', '/faults', { operation, status: Number(status), times: 1 })
      live.tell('fault')
      notify(`The next ${operation} will answer ${status}.`)
    })

  return (
    <div class="fail-next">
      <Choice label="Answer with" value={status} options={STATUSES} onChange={setStatus} />
      <button type="button" class="button" disabled={action.busy} onClick={add}>
        Make this fail next time
      </button>
      <Problem of={action.problem} />
    </div>
  )
}
