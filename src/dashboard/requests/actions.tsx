import { useState } from 'preact/hooks'
import { useAction } from '../action.js'
import type { Admin } from '../api.js'
import { Alert, Button } from '../components/display.js'
import { Field } from '../components/field.js'
import { Form } from '../components/form.js'
import { useDashboard } from '../context.js'
import { toRecordedOverride } from '../faults/override.js'
import { resend } from '../recorded.js'
import { CopyAs } from './copy-as.js'

interface RequestActionsProps {
  entry: Admin['JournalEntry']
  /** The base URL of the instance that received the request. */
  base: string
}

/** What can be done with a recorded request. */
export function RequestActions({ entry, base }: RequestActionsProps) {
  const { notify } = useDashboard()
  const { run, failure } = useAction()
  const send = () => run(async () => notify(`Sent it again. Status: ${(await resend(base, entry)).status}.`))
  return (
    <>
      <div class="actions">
        <Button text="Send again" onClick={send} />
        {entry.operation && entry.status > 0 && <AlwaysAnswer entry={entry} base={base} />}
        <CopyAs id={entry.id} base={base} />
      </div>
      <Alert failure={failure} />
      {entry.operation && <FailNext operation={entry.operation} base={base} />}
    </>
  )
}

/** Adds an override that returns the recorded response, and removes it again. */
function AlwaysAnswer({ entry, base }: RequestActionsProps) {
  const { api } = useDashboard()
  const { run, failure } = useAction()
  const [id, setId] = useState<number>()
  const override = toRecordedOverride(entry)
  const add = () =>
    run(async () => setId((await api.adminAt<Admin['Override']>(base, 'POST', '/overrides', override)).id), {
      notice: `Every ${entry.operation} now gets this response.`,
    })
  const remove = () =>
    run(() => api.adminAt(base, 'DELETE', `/overrides/${id}`).then(() => setId(undefined)), {
      notice: 'Removed the override.',
    })
  return (
    <>
      {id === undefined ? (
        <Button text="Always answer this" disabled={override === undefined} onClick={add} />
      ) : (
        <Button text="Undo: answer normally" onClick={remove} />
      )}
      <Alert failure={failure} />
    </>
  )
}

const STATUSES = ['503', '500', '429', '404', '409', '401']

/** Adds a fault rule that applies once. */
function FailNext({ operation, base }: { operation: string; base: string }) {
  const { api } = useDashboard()
  return (
    <Form
      inline
      submit="Make this fail next time"
      onSubmit={({ status }, run) =>
        run(() => api.adminAt(base, 'POST', '/faults', { operation, status: Number(status), times: 1 }), {
          notice: `The next ${operation} will return ${status}.`,
        })
      }
    >
      <Field name="status" label="Fail with" options={STATUSES} />
    </Form>
  )
}
