import { useState } from 'preact/hooks'
import { useAction } from '../action.js'
import type { Admin } from '../api.js'
import { Dialog } from '../components/dialog.js'
import { Alert, Badge, Button, Code, Empty, Item, LoadState, Section } from '../components/display.js'
import { Field } from '../components/field.js'
import { keepFocus } from '../components/focus.js'
import { Form } from '../components/form.js'
import type { Values } from '../components/problems.js'
import { OVERRIDE } from '../constraints.js'
import { useDashboard } from '../context.js'
import { plural } from '../format.js'
import { prettyJson } from '../pretty-json.js'
import { useAdmin } from '../resource.js'
import {
  checkBody,
  checkStatus,
  describeOverride,
  explain,
  isEditable,
  toOverride,
  toValues,
  UNCHECKED,
} from './override.js'
import { HEADERS, MATCH } from './rule-form.js'

const REMOVE_ALL = {
  title: 'Remove all overrides?',
  text: 'This removes all overrides and their counts, also those that a test made.',
  action: 'Remove all',
}

export function Overrides({ operations }: { operations: readonly Admin['OperationCoverage'][] }) {
  const { api } = useDashboard()
  const { value, failure, reload } = useAdmin<Admin['Override'][]>('/overrides', { topics: ['override', 'reset'] })
  const action = useAction()
  /** The override as it was when its form was opened. */
  const [edited, setEdited] = useState<Admin['Override']>()
  const add = (override: object) => api.admin('POST', '/overrides', override).then(reload)
  const replace = async (id: number, override: object) => {
    await api.admin('POST', '/overrides', override)
    await api.admin('DELETE', `/overrides/${id}`).then(reload)
  }
  const remove = (event: MouseEvent, path: string, options = {}) =>
    keepFocus(event, () => action.run(() => api.admin('DELETE', path).then(reload), options))

  return (
    <div>
      <Section title="Overrides">
        <div class="between">
          <strong role="status">
            {value && plural(value.filter(({ active }) => active).length, 'active override')}
          </strong>
          {value && value.length > 0 && (
            <Button
              text="Remove all"
              label="Remove all overrides"
              onClick={(event) => remove(event, '/overrides', { question: REMOVE_ALL })}
            />
          )}
        </div>
        <Alert failure={action.failure} />
        <LoadState value={value} failure={failure} />
        {value?.length === 0 && (
          <Empty title="No overrides">
            An override is your own response for one operation, until the next reset. The newest one that matches
            applies.
          </Empty>
        )}
        <ul class="list">
          {value?.toReversed().map((override) => (
            <Item
              key={override.id}
              title={override.operation}
              badge={override.active ? <Badge kind="accent">active</Badge> : <Badge>used up</Badge>}
              text={describeOverride(override)}
              facts={`Override ${override.id} · applied ${override.applied}`}
              details={(override.status ?? override.sequence) !== undefined && <Response override={override} />}
            >
              {isEditable(override) && (
                <Button text="Edit" label={`Edit override ${override.id}`} onClick={() => setEdited(override)} />
              )}
              <Button
                text="Remove"
                label={`Remove override ${override.id}`}
                onClick={(event) => remove(event, `/overrides/${override.id}`)}
              />
            </Item>
          ))}
        </ul>
      </Section>
      <Section title="Add an override">
        <OverrideForm
          submit="Add override"
          start={NEW_OVERRIDE}
          operations={operations}
          save={add}
          notice="Added the override."
        />
      </Section>
      {edited && (
        <Dialog title={`Edit override ${edited.id}`} onClose={() => setEdited(undefined)}>
          <OverrideForm
            submit="Save"
            start={toValues(edited)}
            operations={operations}
            save={(override) => replace(edited.id, override)}
            notice={`Replaced override ${edited.id} with a new one.`}
            onClose={() => setEdited(undefined)}
          />
        </Dialog>
      )}
    </div>
  )
}

function Response({ override: { id, status, headers, body, sequence } }: { override: Admin['Override'] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Response</summary>
      {isOpen && (
        <Code label={`Response of override ${id}`} text={prettyJson(sequence ?? { status, headers, body })} json />
      )}
    </details>
  )
}

/** What the form starts with. */
const NEW_OVERRIDE: Values = { status: '200' }

interface OverrideFormProps {
  /** The label of the submit button. */
  submit: string
  start: Values
  operations: readonly Admin['OperationCoverage'][]
  save: (override: object) => Promise<void>
  notice: string
  /** For a form in a dialog. */
  onClose?: () => void
}

function OverrideForm({ submit, start, operations, save, notice, onClose }: OverrideFormProps) {
  return (
    <Form
      submit={submit}
      explain={explain}
      onSubmit={async (values, run) => {
        if (await run(async () => save(toOverride(values)), { notice })) onClose?.()
      }}
      onCancel={onClose}
    >
      <div class="grid">
        <Field
          name="operation"
          label="Operation"
          defaultValue={start.operation}
          options={operations.map((each) => each.operation)}
        />
        <Field
          name="status"
          label="Status"
          defaultValue={start.status}
          required
          {...OVERRIDE.status}
          check={checkStatus(operations)}
        />
        <Field name="times" label="Times" placeholder="unlimited" defaultValue={start.times} {...OVERRIDE.times} />
        <Field
          name="body"
          label="Body (JSON)"
          rows={4}
          placeholder="none; for an error, made from the status"
          defaultValue={start.body}
          check={checkBody}
        />
      </div>
      <label>
        <input type="checkbox" name="unchecked" defaultChecked={start.unchecked !== undefined} /> {UNCHECKED}
      </label>
      <label>
        <input type="checkbox" name="raw" defaultChecked={start.raw !== undefined} /> Send it as it is, not as JSON
      </label>
      <details>
        <summary>More: match, headers</summary>
        <div class="grid">
          <Field {...MATCH} defaultValue={start.match} />
          <Field {...HEADERS} defaultValue={start.headers} />
        </div>
      </details>
    </Form>
  )
}
