import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type Run, useAction } from '../action.js'
import type { Admin } from '../api.js'
import { Dialog } from '../components/dialog.js'
import { Alert, Badge, Button, Empty, Item, LoadState, Section } from '../components/display.js'
import { keepFocus } from '../components/focus.js'
import { useDashboard } from '../context.js'
import { plural } from '../format.js'
import { useFaults } from '../resource.js'
import { describeFault, describeMatch, NEW_RULE, toChange, toRule, toValues } from './rule.js'
import { RuleForm } from './rule-form.js'

const REMOVE_ALL = {
  title: 'Remove all rules?',
  text: 'This removes all rules and their counts.',
  action: 'Remove all',
}

export function FaultRules({ operations }: { operations: readonly Admin['OperationCoverage'][] }) {
  const { api } = useDashboard()
  const { value, failure, reload } = useFaults()
  const { run, ...action } = useAction()
  /** The rule as it was when its form was opened. */
  const [edited, setEdited] = useState<Admin['Fault']>()
  const removeAll = () => run(() => api.admin('DELETE', '/faults').then(reload), { question: REMOVE_ALL })

  return (
    <div>
      <Section title="Fault rules">
        <div class="between">
          <strong role="status">{value && plural(value.filter(({ active }) => active).length, 'active rule')}</strong>
          {value && value.length > 0 && (
            <Button text="Remove all" label="Remove all rules" onClick={(event) => keepFocus(event, removeAll)} />
          )}
        </div>
        <Alert failure={action.failure} />
        <LoadState value={value} failure={failure} />
        {value?.length === 0 && (
          <Empty title="No fault rules">
            Add a rule here, or open a request and make its operation fail. The first rule that matches applies.
          </Empty>
        )}
        <ul class="list">
          {value?.map((fault, index) => (
            <RuleItem
              key={fault.id}
              fault={fault}
              position={index + 1}
              isLast={index + 1 === value.length}
              onEdit={() => setEdited(fault)}
              run={run}
              reload={reload}
            />
          ))}
        </ul>
      </Section>
      <Section title="Add a rule">
        <RuleForm
          submit="Add rule"
          start={NEW_RULE}
          operations={operations}
          preview="Rule as JSON"
          toBody={toRule}
          save={(rule) => api.admin('POST', '/faults', rule).then(reload)}
          notice="Added the rule."
        />
      </Section>
      {/* Not in the list: a dialog that is moved in the page is no longer modal. */}
      {edited && (
        <EditDialog
          fault={edited}
          operations={operations}
          onSave={(changes) => api.admin('PATCH', `/faults/${edited.id}`, changes).then(reload)}
          onClose={() => setEdited(undefined)}
        />
      )}
    </div>
  )
}

interface RuleItemProps {
  fault: Admin['Fault']
  /** From 1. */
  position: number
  isLast: boolean
  onEdit: () => void
  run: Run
  reload: () => Promise<void>
}

function RuleItem({ fault, position, isLast, onEdit, run, reload }: RuleItemProps) {
  const { api } = useDashboard()
  const { id, enabled = true, active, matched, applied } = fault
  const name = `rule ${id}`
  const path = `/faults/${id}`
  const change = (changes: object) => api.admin('PATCH', path, changes).then(reload)

  const pressed = useRef<HTMLButtonElement | null>(null)
  const move = (to: number) => (event: MouseEvent) => {
    pressed.current = event.currentTarget as HTMLButtonElement
    return run(() => change({ position: to }), { notice: `Moved ${name} to position ${to}.` })
  }
  // An element that is moved in the page loses the focus.
  useLayoutEffect(() => {
    pressed.current?.focus()
    pressed.current = null
  }, [position])

  return (
    <Item
      title={describeMatch(fault)}
      badge={active ? <Badge kind="accent">active</Badge> : <Badge>{enabled ? 'inactive' : 'disabled'}</Badge>}
      text={describeFault(fault)}
      facts={`Rule ${id} · matched ${matched} · applied ${applied}`}
    >
      <Button text="↑" label={`Move ${name} up`} disabled={position === 1} onClick={move(position - 1)} />
      <Button text="↓" label={`Move ${name} down`} disabled={isLast} onClick={move(position + 1)} />
      <Button
        text={enabled ? 'Disable' : 'Enable'}
        label={`${enabled ? 'Disable' : 'Enable'} ${name}`}
        onClick={() => run(() => change({ enabled: !enabled }))}
      />
      <Button text="Edit" label={`Edit ${name}`} onClick={onEdit} />
      <Button
        text="Remove"
        label={`Remove ${name}`}
        onClick={(event) => keepFocus(event, () => run(() => api.admin('DELETE', path).then(reload)))}
      />
    </Item>
  )
}

interface EditDialogProps {
  fault: Admin['Fault']
  operations: readonly Admin['OperationCoverage'][]
  onSave: (changes: object) => Promise<void>
  onClose: () => void
}

function EditDialog({ fault, operations, onSave, onClose }: EditDialogProps) {
  const start = toValues(fault)
  return (
    <Dialog title={`Edit rule ${fault.id}`} onClose={onClose}>
      <RuleForm
        submit="Save"
        start={start}
        operations={operations}
        preview="Changes as JSON"
        toBody={(values) => toChange(start, values)}
        save={onSave}
        notice={`Changed rule ${fault.id}.`}
        onClose={onClose}
      />
    </Dialog>
  )
}
