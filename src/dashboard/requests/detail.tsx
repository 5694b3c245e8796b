import { useEffect, useRef } from 'preact/hooks'
import { Alert, Badge, Code, CopyButton, Link, StatusBadge } from '../components/display.js'
import { Form, SelectField } from '../components/form.js'
import { useAction, useAdmin, useDashboard } from '../context.js'
import { dateAndTime, duration } from '../format.js'
import { prettyJson } from '../pretty-json.js'
import { bodyText, isJson, targetOf, toCurl, toFetch } from '../snippets.js'
import type { JournalEntry, JournalMessage } from '../types.js'

/** One request and its response. `back` is the path of the list. */
export function RequestDetail({ id, back }: { readonly id: string; readonly back: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // Reading and tabbing continue here.
  useEffect(() => heading.current?.focus(), [])
  const path = `/journal/${encodeURIComponent(id)}`
  const { value: entry, failure } = useAdmin<JournalEntry>(path, { topics: ['reset'] })
  return (
    <section class="detail card" aria-label={`Request ${id}`}>
      <div class="between">
        <h2 ref={heading} tabIndex={-1}>
          Request {id}
        </h2>
        <Link to={back} class="button small">
          Close
        </Link>
      </div>
      <Alert failure={failure} />
      {entry && failure === undefined && <Entry entry={entry} />}
    </section>
  )
}

function Entry({ entry }: { readonly entry: JournalEntry }) {
  const { api } = useDashboard()
  const { method, status, at, durationMs, operation, fault, violations, request, response } = entry
  return (
    <>
      <p>
        <StatusBadge status={status} /> <code>{method}</code> <code>{targetOf(entry)}</code>
      </p>
      <p class="quiet">
        {operation ? <Link to={`/requests?operation=${operation}`}>{operation}</Link> : 'no matching operation'}
        {' · '}
        {dateAndTime(at)} UTC · {duration(durationMs)}
        {fault && (
          <>
            {' · '}
            <Badge kind="warn">fault: {fault.kind}</Badge>{' '}
            {fault.id === undefined ? 'requested with Prefer' : <Link to="/faults">rule {fault.id}</Link>}
          </>
        )}
      </p>
      {violations?.map((violation) => (
        <p key={violation} class="error">
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
      {operation && <FailNext operation={operation} />}
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
  readonly title: 'Request' | 'Response'
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
      <details open={title === 'Response'}>
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
      {text === undefined ? <p class="quiet">No body</p> : <Code label={`${title} body`} text={text} json={json} />}
      {message.cut && <p class="quiet">The body is longer than the journal stores. This is its beginning.</p>}
    </>
  )
}

const STATUSES = ['503', '500', '429', '404', '409', '401']

/** Adds a fault rule that applies once. */
function FailNext({ operation }: { readonly operation: string }) {
  const { api, notify } = useDashboard()
  const action = useAction()
  const add = (status: string | undefined) =>
    action.run(async () => {
      await api.admin('POST', '/faults', { operation, status: Number(status), times: 1 })
      notify(`The next ${operation} will return ${status}.`)
    })
  return (
    <Form inline submit={`Fail the next ${operation}`} action={action} onSubmit={({ status }) => add(status)}>
      <SelectField name="status" label="Fail with" options={STATUSES} />
    </Form>
  )
}
