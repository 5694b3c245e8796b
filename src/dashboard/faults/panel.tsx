import { Alert, Badge, Button, Empty, Section } from '../components/display.js'
import { useAction, useAdmin, useDashboard } from '../context.js'
import { plural } from '../format.js'
import type { Fault } from '../types.js'
import { FaultForm } from './form.js'
import { describeFault, describeMatch } from './rule.js'

export function FaultsPanel() {
  const { api, confirm } = useDashboard()
  const { value, failure, reload } = useAdmin<Fault[]>('/faults', { topics: ['fault', 'reset', 'request'] })
  const action = useAction()

  const remove = (path: string) =>
    action.run(async () => {
      await api.admin('DELETE', path)
      reload()
    })
  async function removeAll() {
    const text = 'This removes all rules and their counts.'
    if (await confirm({ title: 'Clear all rules?', text, action: 'Clear all' })) await remove('/faults')
  }

  return (
    <div class="columns">
      <Section title="Fault rules">
        <div class="between">
          <strong role="status">{value && plural(value.filter(({ active }) => active).length, 'active rule')}</strong>
          {value && value.length > 0 && <Button onClick={removeAll}>Clear all</Button>}
        </div>
        <Alert failure={failure ?? action.failure} />
        {value?.length === 0 && (
          <Empty title="No fault rules">
            Add a rule here, or open a request and make its operation fail. The first rule that matches applies.
          </Empty>
        )}
        <ul class="list">
          {value?.map((fault) => (
            <FaultItem key={fault.id} fault={fault} onRemove={() => remove(`/faults/${fault.id}`)} />
          ))}
        </ul>
      </Section>
      <FaultForm onAdded={reload} />
    </div>
  )
}

function FaultItem({ fault, onRemove }: { readonly fault: Fault; readonly onRemove: () => void }) {
  const { id, active, matched, applied } = fault
  return (
    <li>
      <div>
        <p>
          <strong>{describeMatch(fault)}</strong>{' '}
          <Badge kind={active ? 'accent' : ''}>{active ? 'active' : 'inactive'}</Badge>
        </p>
        <p>{describeFault(fault)}</p>
        <p class="quiet">
          Rule {id} · matched {matched} · applied {applied}
        </p>
      </div>
      <Button label={`Remove rule ${id}`} onClick={onRemove}>
        Remove
      </Button>
    </li>
  )
}
