import { useState } from 'preact/hooks'
import { useAction, useDesk, useResource } from '../context.js'
import { plural } from '../format.js'
import { Badge, Empty, Problem, Section } from '../parts/bits.js'
import { Confirm } from '../parts/dialog.js'
import type { Fault } from '../types.js'
import { FaultForm } from './form.js'
import { describeAim, describeFault } from './rule.js'

/** Rules that make the store fail on purpose. */
export function FaultsPanel() {
  const { api } = useDesk()
  const { value, problem, reload } = useResource('faults', () => api.control<Fault[]>('GET', '/faults'), {
    topics: ['fault', 'reset', 'request'],
  })
  const [asking, setAsking] = useState(false)
  const action = useAction()
  const carryOut = (path: string) =>
    action.run(async () => {
      await api.control('DELETE', path)
      reload()
    })
  return (
    <div class="columns">
      <Section title="Rules in order">
        <div class="tools">
          <p class="count" role="status">
            {value && plural(value.filter(({ active }) => active).length, 'active rule')}
          </p>
          {value && value.length > 0 && (
            <button type="button" class="button small" onClick={() => setAsking(true)}>
              Clear all
            </button>
          )}
        </div>
        <Problem of={problem ?? action.problem} />
        {value?.length === 0 && (
          <Empty title="Everything works">
            Add a rule, or open a request under Requests and make it fail next time. The first rule that fits decides.
          </Empty>
        )}
        <ul class="list">
          {value?.map((fault) => (
            <FaultItem key={fault.id} fault={fault} onRemove={() => carryOut(`/faults/${fault.id}`)} />
          ))}
        </ul>
      </Section>
      <FaultForm onAdded={reload} />
      {asking && (
        <Confirm
          title="Clear all rules?"
          action="Clear all"
          onConfirm={() => carryOut('/faults')}
          onClose={() => setAsking(false)}
        >
          All rules and their counts are gone.
        </Confirm>
      )}
    </div>
  )
}

function FaultItem({ fault, onRemove }: { readonly fault: Fault; readonly onRemove: () => void }) {
  return (
    <li class={fault.active ? '' : 'spent'}>
      <div>
        <p>
          <strong>{describeAim(fault)}</strong>{' '}
          <Badge kind={fault.active ? 'accent' : ''}>{fault.active ? 'active' : 'used up'}</Badge>
        </p>
        <p>{describeFault(fault)}</p>
        <p class="quiet">
          Rule {fault.id} · matched {fault.matched} · happened {fault.applied}
        </p>
      </div>
      <button type="button" class="button small" aria-label={`Remove rule ${fault.id}`} onClick={onRemove}>
        Remove
      </button>
    </li>
  )
}
