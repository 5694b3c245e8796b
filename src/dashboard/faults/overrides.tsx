import { useState } from 'preact/hooks'
import { useAction } from '../action.js'
import type { Admin } from '../api.js'
import { Alert, Badge, Button, Code, Empty, Item, LoadState, Section } from '../components/display.js'
import { Field } from '../components/field.js'
import { keepFocus } from '../components/focus.js'
import { Form } from '../components/form.js'
import { OVERRIDE } from '../constraints.js'
import { useDashboard } from '../context.js'
import { plural } from '../format.js'
import { prettyJson } from '../pretty-json.js'
import { useAdmin } from '../resource.js'
import { checkBody, checkStatus, describeOverride, explain, toOverride, UNCHECKED } from './override.js'
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
        <OverrideForm operations={operations} onAdded={reload} />
      </Section>
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

interface OverrideFormProps {
  operations: readonly Admin['OperationCoverage'][]
  onAdded: () => Promise<void>
}

function OverrideForm({ operations, onAdded }: OverrideFormProps) {
  const { api } = useDashboard()
  return (
    <Form
      submit="Add override"
      explain={explain}
      onSubmit={(values, run) =>
        run(async () => api.admin('POST', '/overrides', toOverride(values)).then(onAdded), {
          notice: 'Added the override.',
        })
      }
    >
      <div class="grid">
        <Field name="operation" label="Operation" options={operations.map((each) => each.operation)} />
        <Field
          name="status"
          label="Status"
          defaultValue="200"
          required
          {...OVERRIDE.status}
          check={checkStatus(operations)}
        />
        <Field name="times" label="Times" placeholder="unlimited" {...OVERRIDE.times} />
        <Field
          name="body"
          label="Body (JSON)"
          rows={4}
          placeholder="none; for an error, made from the status"
          check={checkBody}
        />
      </div>
      <label>
        <input type="checkbox" name="unchecked" /> {UNCHECKED}
      </label>
      <label>
        <input type="checkbox" name="raw" /> Send it as it is, not as JSON
      </label>
      <details>
        <summary>More: match, headers</summary>
        <div class="grid">
          <Field {...MATCH} />
          <Field {...HEADERS} />
        </div>
      </details>
    </Form>
  )
}
