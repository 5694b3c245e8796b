import { useState } from 'preact/hooks'
import { stringifyJson } from '../../lib/json.js'
import { SNIPPET_KINDS, type SnippetKind } from '../../tools/snippets/index.js'
import { toRecordedOverride } from '../../tools/snippets/override.js'
import { type Admin, type Api, ApiFailure, toFailure } from '../api.js'
import { Alert, Button, CopyButton } from '../components/display.js'
import { Field, Form } from '../components/form.js'
import { useAction, useDashboard } from '../context.js'
import { failsAlways } from '../faults/describe.js'
import { useResource } from '../resource.js'
import { isInPage } from '../router.js'
import { copyRequests, describeHidden, findExchange, type RequestIdentity, resend } from './reproduction.js'

interface RequestActionsProps {
  entry: Admin['JournalEntry']
  /** The base URL of the instance that received the request. */
  base: string
}

/** What can be done with a recorded request. */
export function RequestActions({ entry, base }: RequestActionsProps) {
  const { api, notify } = useDashboard()
  const { run, busy, failure } = useAction()
  const send = () => run(async () => notify(await resend(base, await findExchange(api, base, entry))))
  return (
    <>
      <div class="actions">
        {/* Not disabled, so that it keeps the focus. */}
        <Button text={busy ? 'Sending…' : 'Send again'} onClick={() => busy || send()} />
        {entry.operation && entry.status > 0 && <AlwaysAnswer entry={entry} base={base} />}
        <CopyAs entry={entry} base={base} />
      </div>
      <Alert failure={failure} />
      {entry.operation && <MakeFail operation={entry.operation} base={base} />}
    </>
  )
}

/** Adds an override that returns the recorded response, and removes it again. */
function AlwaysAnswer({ entry, base }: RequestActionsProps) {
  const { api, notify } = useDashboard()
  const { run, failure } = useAction()
  const load = () => api.adminAt(base)('listOverrides')
  const { value: overrides, reload } = useResource('overrides', load, { topics: ['override', 'reset'] })
  const added = overrides?.findLast((override) => returnsAlways(override, entry))
  const add = () =>
    run(async () => {
      const { override, hidden } = toOverride(await findExchange(api, base, entry))
      await api.adminAt(base)('addOverride', { body: override })
      await reload()
      notify(`Every ${entry.operation} now gets this response${describeHidden(hidden)}.`)
    })
  const remove = (id: number) =>
    run(
      async () => {
        await api.adminAt(base)('removeOverride', { path: { id } }).catch(ignoreRemoved)
        await reload()
      },
      { notice: 'Removed the override.' },
    )
  return (
    <>
      {added === undefined ? (
        <Button text="Always answer this" disabled={entry.response.cut ?? false} onClick={add} />
      ) : (
        <Button text="Undo: answer normally" onClick={() => remove(added.id)} />
      )}
      <Alert failure={failure} />
    </>
  )
}

/** The body for the admin API. */
function toOverride(exchange: Parameters<typeof toRecordedOverride>[0]) {
  const recorded = toRecordedOverride(exchange)
  if (recorded === undefined || exchange.response?.isBase64) {
    throw new ApiFailure('NOT_TEXT', 'An override made here cannot return this response, because it is not text.')
  }
  const { operation, response, options, hidden } = recorded
  return { override: { operation, ...response, ...options }, hidden }
}

/** Whether an override returns the recorded response to every request of the operation. */
function returnsAlways(override: Admin['Override'], { operation, status, response }: Admin['JournalEntry']): boolean {
  const { times, match, body } = override
  return (
    override.operation === operation &&
    override.status === status &&
    times === undefined &&
    match === undefined &&
    stringifyJson(body) === stringifyJson(response.body)
  )
}

/** Someone else may have removed the override or the rule. */
function ignoreRemoved(error: unknown): void {
  if (!['OVERRIDE_NOT_FOUND', 'FAULT_NOT_FOUND'].includes(toFailure(error).code)) throw error
}

const STATUSES = ['503', '500', '429', '404', '409', '401']

const PERIODS = [
  ['once', 'next time'],
  ['always', 'until I switch it off'],
] as const

function MakeFail({ operation, base }: { operation: string; base: string }) {
  const { api } = useDashboard()
  const load = () => api.adminAt(base)('listFaults')
  const { value: faults, reload } = useResource('faults', load, { topics: ['fault', 'reset'] })
  const { run, failure } = useAction()
  const added = faults?.find((fault) => fault.active && fault.operation === operation && failsAlways(fault))
  const fail = async (status: number, isOnce: boolean) => {
    await addFailure(api, base, { operation, status, ...(isOnce && { times: 1 }) })
    await reload()
  }
  const switchOff = (id: number) =>
    run(
      async () => {
        await api.adminAt(base)('removeFault', { path: { id } }).catch(ignoreRemoved)
        await reload()
      },
      { notice: `${operation} succeeds again.` },
    )
  return (
    <>
      <Form
        inline
        submit="Make this fail"
        onSubmit={({ status, period }, submit) =>
          submit(() => fail(Number(status), period === 'once'), {
            notice:
              period === 'once' ? `The next ${operation} will return ${status}.` : `${operation} returns ${status}.`,
          })
        }
      >
        <Field name="status" label="Fail with" options={STATUSES} />
        <Field name="period" label="How long" options={PERIODS} />
      </Form>
      {added && <Button text="Switch off the failure" onClick={() => switchOff(added.id)} />}
      <Alert failure={failure} />
    </>
  )
}

/** Adds a fault rule before all others. */
export async function addFailure(api: Api, base: string, rule: Admin['FaultRule']): Promise<void> {
  const { id } = await api.adminAt(base)('addFault', { body: rule })
  await api.adminAt(base)('updateFault', { path: { id }, body: { position: 1 } })
}

const NAMES: Partial<Record<SnippetKind, string>> = { playwright: 'Playwright' }

/** Copies a request, or the requests from it to a later one, as code. */
function CopyAs({ entry, base }: { entry: RequestIdentity; base: string }) {
  const { id } = entry
  const { api, router } = useDashboard()
  const [last, setLast] = useState(String(id))
  // Only the page itself reaches a mock in a page.
  const kinds = SNIPPET_KINDS.filter((kind) => kind !== 'curl' || !isInPage(router))
  const isRun = Number(last) > id
  const what = isRun ? `requests ${id} to ${last}` : 'the request'
  return (
    <details
      class="menu"
      onKeyDown={(event) => {
        const menu = event.currentTarget
        if (event.key !== 'Escape' || !menu.open) return
        event.preventDefault()
        menu.open = false
        menu.querySelector('summary')?.focus()
      }}
    >
      <summary class="button small">Copy as…</summary>
      <form
        onInput={(event) => setLast(String(new FormData(event.currentTarget).get('last')))}
        onSubmit={(event) => event.preventDefault()}
      >
        <Field name="last" label="Up to request" type="number" min={id} value={last} />
      </form>
      <div class="actions">
        {kinds.map((kind) => (
          <CopyButton
            key={kind}
            text={NAMES[kind] ?? kind}
            copied={() => copyRequests(api, base, kind, { first: entry, last: isRun ? Number(last) : id })}
            what={`${what} as ${NAMES[kind] ?? kind}`}
          />
        ))}
      </div>
    </details>
  )
}
