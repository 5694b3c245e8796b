import type { Admin } from '../api.js'
import { Alert, Badge, Button, Empty, Item, Section } from '../components/display.js'
import { useAction, useAdmin, useDashboard } from '../context.js'
import { plural } from '../format.js'
import { FaultForm } from './form.js'
import { describeFault, describeMatch } from './rule.js'

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
