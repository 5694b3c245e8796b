import { useState } from 'preact/hooks'
import { Code, Section } from '../components/display.js'
import { Form, SelectField, TextField, type TextFieldProps, type Values } from '../components/form.js'
import { FAULT_RULE } from '../constraints.js'
import { useAction, useAdmin, useDashboard } from '../context.js'
import { prettyJson } from '../pretty-json.js'
import type { Coverage } from '../types.js'
import { hasDelay, hasError, KINDS, NEW_RULE, needsDelay, toRule } from './rule.js'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

export function FaultForm({ onAdded }: { readonly onAdded: () => void }) {
  const { api, notify } = useDashboard()
  const { value: coverage } = useAdmin<Coverage>('/coverage')
  const [values, setValues] = useState(NEW_RULE)
  const action = useAction()
  const { kind } = values
  const text = (name: keyof typeof FAULT_RULE): Omit<TextFieldProps, 'label'> => ({
    name,
    defaultValue: values[name],
    ...FAULT_RULE[name],
  })

  const add = (rule: object) =>
    action.run(async () => {
      await api.admin('POST', '/faults', rule)
      notify('Added the rule.')
      onAdded()
    })

  return (
    <Section title="Add a rule">
      <Form
        submit="Add rule"
        action={action}
        // Keeps the values of the fields that the current kind of fault does not have.
        onInput={(changed: Values) => setValues({ ...values, ...changed })}
        onSubmit={() => add(toRule(values))}
      >
        <div class="grid">
          <SelectField
            name="operation"
            label="Operation"
            options={[['', 'Any operation'], ...(coverage?.operations ?? []).map(({ operation }) => operation)]}
          />
          <SelectField name="kind" label="Fault" options={KINDS} />
          {hasError(kind) && <TextField label="Status" {...text('status')} />}
          {hasDelay(kind) && (
            <>
              <TextField label="Delay (ms)" placeholder="none" required={needsDelay(kind)} {...text('delayMs')} />
              <TextField label="Maximum delay (ms)" placeholder="same as delay" {...text('maxDelayMs')} />
            </>
          )}
          <TextField label="Times" placeholder="unlimited" {...text('times')} />
        </div>
        <details>
          <summary>More: method, path, code, probability, expiry</summary>
          <div class="grid">
            <SelectField name="method" label="Method" options={[['', 'Any method'], ...METHODS]} />
            <TextField label="Path" placeholder="/pets*" {...text('path')} />
            {hasError(kind) && (
              <>
                <TextField label="Code" placeholder="from the status" {...text('code')} />
                <TextField label="Message" placeholder="from the status" {...text('message')} />
              </>
            )}
            <TextField label="Skip first requests" placeholder="0" {...text('after')} />
            <TextField label="Probability" placeholder="1" {...text('probability')} />
            <TextField label="Expires after (ms)" placeholder="never" {...text('expiresAfterMs')} />
          </div>
        </details>
        <Code label="Rule as JSON" text={prettyJson(toRule(values))} json />
      </Form>
    </Section>
  )
}
