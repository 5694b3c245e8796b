import { useState } from 'preact/hooks'
import type { Admin } from '../api.js'
import { Alert, Badge, Button, Code, Empty, Item, Section } from '../components/display.js'
import { Field, Form, type Values } from '../components/form.js'
import { FAULT_RULE } from '../constraints.js'
import { useAction, useAdmin, useDashboard, useOperations } from '../context.js'
import { plural } from '../format.js'
import { prettyJson } from '../pretty-json.js'
import { describeFault, describeMatch, hasDelay, hasError, KINDS, NEW_RULE, needsDelay, toRule } from './rule.js'

const CLEAR_ALL = { title: 'Clear all rules?', text: 'This removes all rules and their counts.', action: 'Clear all' }

export function FaultsPanel() {
  const { api } = useDashboard()
  const { value, failure, reload } = useAdmin<Admin['Fault'][]>('/faults', { topics: ['fault', 'reset', 'request'] })
  const action = useAction()
  const remove = (path: string, options = {}) => action.run(() => api.admin('DELETE', path).then(reload), options)

  return (
    <div class="columns">
      <Section title="Fault rules">
        <div class="between">
          <strong role="status">{value && plural(value.filter(({ active }) => active).length, 'active rule')}</strong>
          {value && value.length > 0 && (
            <Button text="Clear all" onClick={() => remove('/faults', { question: CLEAR_ALL })} />
          )}
        </div>
        <Alert failure={failure ?? action.failure} />
        {value?.length === 0 && (
          <Empty title="No fault rules">
            Add a rule here, or open a request and make its operation fail. The first rule that matches applies.
          </Empty>
        )}
        <ul class="list">
          {value?.map((fault) => (
            <Item
              key={fault.id}
              title={describeMatch(fault)}
              badge={fault.active ? <Badge kind="accent">active</Badge> : <Badge>inactive</Badge>}
              text={describeFault(fault)}
              facts={`Rule ${fault.id} · matched ${fault.matched} · applied ${fault.applied}`}
            >
              <Button text="Remove" label={`Remove rule ${fault.id}`} onClick={() => remove(`/faults/${fault.id}`)} />
            </Item>
          ))}
        </ul>
      </Section>
      <FaultForm onAdded={reload} />
    </div>
  )
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

function FaultForm({ onAdded }: { onAdded: () => Promise<void> }) {
  const { api } = useDashboard()
  const operations = useOperations()
  const [values, setValues] = useState(NEW_RULE)
  const { kind } = values
  const rule = toRule(values)
  const text = (name: keyof typeof FAULT_RULE) => ({ name, defaultValue: values[name], ...FAULT_RULE[name] })

  return (
    <Section title="Add a rule">
      <Form
        submit="Add rule"
        // Keeps the values of the fields that the current kind of fault does not have.
        onInput={(changed: Values) => setValues({ ...values, ...changed })}
        onSubmit={(_, run) =>
          run(() => api.admin('POST', '/faults', rule).then(onAdded), { notice: 'Added the rule.' })
        }
      >
        <div class="grid">
          <Field name="operation" label="Operation" options={[['', 'Any operation'], ...operations]} />
          <Field name="kind" label="Fault" options={KINDS} />
          {hasError(kind) && <Field label="Status" {...text('status')} />}
          {hasDelay(kind) && (
            <>
              <Field label="Delay (ms)" placeholder="none" required={needsDelay(kind)} {...text('delayMs')} />
              <Field label="Maximum delay (ms)" placeholder="same as delay" {...text('maxDelayMs')} />
            </>
          )}
          <Field label="Times" placeholder="unlimited" {...text('times')} />
        </div>
        <details>
          <summary>More: method, path, code, probability, expiry</summary>
          <div class="grid">
            <Field name="method" label="Method" options={[['', 'Any method'], ...METHODS]} />
            <Field label="Path" placeholder="/pets*" {...text('path')} />
            {hasError(kind) && (
              <>
                <Field label="Code" placeholder="from the status" {...text('code')} />
                <Field label="Message" placeholder="from the status" {...text('message')} />
              </>
            )}
            <Field label="Skip first requests" placeholder="0" {...text('after')} />
            <Field label="Probability" placeholder="1" {...text('probability')} />
            <Field label="Expires after (ms)" placeholder="never" {...text('expiresAfterMs')} />
          </div>
        </details>
        <Code label="Rule as JSON" text={prettyJson(rule)} json />
      </Form>
    </Section>
  )
}
