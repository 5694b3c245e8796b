import { useState } from 'preact/hooks'
import { useAction, useDesk, useResource } from '../context.js'
import { Code, Problem, Section } from '../parts/bits.js'
import { Choice, Text } from '../parts/field.js'
import { prettyJson } from '../pretty.js'
import type { Coverage } from '../types.js'
import { EMPTY_RULE, type FaultKind, KINDS, type RuleForm, takes, toRule } from './rule.js'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** A new fault rule, with a look at it before it is added. */
export function FaultForm({ onAdded }: { readonly onAdded: () => void }) {
  const { api, notify } = useDesk()
  const { value: coverage } = useResource('operations', () => api.control<Coverage>('GET', '/coverage'))
  const [form, setForm] = useState(EMPTY_RULE)
  const action = useAction()
  const rule = toRule(form)
  const fields = Object.keys(form)
  const field = action.problem?.field === 'delayMs' ? 'delay' : action.problem?.field
  const tie = (name: keyof RuleForm) => ({
    value: form[name],
    problem: field === name ? action.problem?.message : undefined,
  })
  const set = (name: keyof RuleForm) => (value: string) => setForm({ ...form, [name]: value })

  async function add() {
    const done = await action.run(() => api.control('POST', '/faults', rule))
    if (!done) return
    notify('The rule is in force.')
    onAdded()
  }

  return (
    <Section title="Add a rule">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void add()
        }}
      >
        <div class="grid">
          <Choice
            label="Operation"
            {...tie('operation')}
            options={[
              ['', 'Every operation'],
              ...(coverage?.operations ?? []).map(({ operation }) => [operation, operation] as const),
            ]}
            onChange={set('operation')}
          />
          <Choice
            label="What happens"
            {...tie('kind')}
            options={KINDS}
            onChange={(kind) => setForm({ ...form, kind: kind as FaultKind })}
          />
          {takes(form.kind, 'error') && <Text label="Status" {...tie('status')} numeric onInput={set('status')} />}
          {takes(form.kind, 'delay') && (
            <>
              <Text label="Delay in ms" {...tie('delay')} numeric placeholder="none" onInput={set('delay')} />
              <Text
                label="Delay in ms, at most"
                {...tie('delayMost')}
                numeric
                placeholder="the same"
                onInput={set('delayMost')}
              />
            </>
          )}
          <Text label="Times" {...tie('times')} numeric placeholder="every time" onInput={set('times')} />
        </div>
        <details class="more-fields">
          <summary>More: method, path, code, chance, expiry</summary>
          <div class="grid">
            <Choice
              label="Method"
              {...tie('method')}
              options={[['', 'Any method'], ...METHODS.map((name) => [name, name] as const)]}
              onChange={set('method')}
            />
            <Text label="Path" {...tie('path')} placeholder="/pets*" onInput={set('path')} />
            {takes(form.kind, 'error') && (
              <>
                <Text label="Code" {...tie('code')} placeholder="from the status" onInput={set('code')} />
                <Text label="Message" {...tie('message')} placeholder="from the status" onInput={set('message')} />
              </>
            )}
            <Text label="Let pass first" {...tie('after')} numeric placeholder="0" onInput={set('after')} />
            <Text label="Chance, 0 to 1" {...tie('probability')} placeholder="1" onInput={set('probability')} />
            <Text
              label="Expires after ms"
              {...tie('expiresAfterMs')}
              numeric
              placeholder="never"
              onInput={set('expiresAfterMs')}
            />
          </div>
        </details>
        <h3>The rule</h3>
        <Code label="The rule as JSON" text={prettyJson(rule)} json />
        {!fields.includes(field ?? '') && <Problem of={action.problem} />}
        <div class="actions">
          <button type="submit" class="button primary" disabled={action.busy}>
            Add the rule
          </button>
        </div>
      </form>
    </Section>
  )
}
