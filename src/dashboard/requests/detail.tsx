import { useEffect, useRef } from 'preact/hooks'
import type { Admin } from '../api.js'
import { Alert, Badge, Code, CopyButton, Facts, Link, StatusBadge } from '../components/display.js'
import { Field, Form } from '../components/form.js'
import { useDashboard } from '../context.js'
import { dateAndTime, duration } from '../format.js'
import { prettyJson } from '../pretty-json.js'
import { useAdmin } from '../resource.js'
import { isInPage } from '../router.js'
import { bodyText, isJson, targetOf, toCurl, toFetch } from '../snippets.js'

/** One request and its response. `back` is the path of the list. */
export function RequestDetail({ id, back }: { id: string; back: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // Reading and tabbing continue here.
  useEffect(() => heading.current?.focus(), [])
  const path = `/journal/${encodeURIComponent(id)}`
  const { value: entry, failure } = useAdmin<Admin['JournalEntry']>(path, { topics: ['reset'] })
  return (
    <section class="detail card" aria-label={`Request ${id}`}>
      <div class="between">
        <h2 ref={heading} tabIndex={-1}>
          Request {id}
        </h2>
        <Link to={back} text="Close" class="button small" />
      </div>
      <Alert failure={failure} />
      {entry && failure === undefined && <Entry entry={entry} />}
    </section>
  )
}

function Entry({ entry }: { entry: Admin['JournalEntry'] }) {
  const { api, router } = useDashboard()
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
      <div class="actions">
        {!isInPage(router) && (
          <CopyButton text="Copy as curl" copied={() => toCurl(api.base, entry)} what="the request as curl" />
        )}
        <CopyButton text="Copy as fetch" copied={() => toFetch(api.base, entry)} what="the request as fetch" />
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

const STATUSES = ['503', '500', '429', '404', '409', '401']

/** Adds a fault rule that applies once. */
function FailNext({ operation }: { operation: string }) {
  const { api } = useDashboard()
  return (
    <Form
      inline
      submit={`Fail the next ${operation}`}
      onSubmit={({ status }, run) =>
        run(() => api.admin('POST', '/faults', { operation, status: Number(status), times: 1 }), {
          notice: `The next ${operation} will return ${status}.`,
        })
      }
    >
      <Field name="status" label="Fail with" options={STATUSES} />
    </Form>
  )
}
