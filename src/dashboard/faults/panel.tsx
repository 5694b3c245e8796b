import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Admin, ApiFailure } from '../api.js'
import {
  Alert,
  Badge,
  Button,
  Code,
  Dialog,
  Empty,
  Item,
  keepFocus,
  LoadState,
  Section,
} from '../components/display.js'
import { type Run, useAction, useDashboard } from '../context.js'
import { capitalize, plural, prettyJson } from '../format.js'
import { useAdmin, useFaults } from '../resource.js'
import { describeFault, describeMatch, describeOverride } from './describe.js'
import {
  explainFault,
  explainOverride,
  faultFields,
  isEditable,
  NEW_FAULT,
  NEW_OVERRIDE,
  type Operations,
  overrideFields,
  toFault,
  toFaultChange,
  toFaultValues,
  toOverride,
  toOverrideValues,
} from './rule-fields.js'
import { RuleForm, type RuleFormProps } from './rule-form.js'

export function FaultsPanel() {
  const { value, failure } = useAdmin('getCoverage')
  const operations = value?.operations ?? []
  return (
    <>
      <Alert failure={failure} />
      <div class="columns">
        <FaultRules operations={operations} />
        <Overrides operations={operations} />
      </div>
    </>
  )
}

function FaultRules({ operations }: { operations: Operations }) {
  const { api } = useDashboard()
  const faults = useFaults()
  return (
    <Rules
      {...faults}
      noun="rule"
      title="Fault rules"
      kind="Fault"
      lost="This removes all rules and their counts."
      empty="Add a rule here, or open a request and make its operation fail. The first rule that matches applies."
      describe={(fault) => ({
        title: describeMatch(fault),
        state: fault.active ? 'active' : isEnabled(fault) ? 'inactive' : 'disabled',
        text: describeFault(fault),
        facts: `matched ${fault.matched} · applied ${fault.applied}`,
      })}
      buttons={(fault, run) => (
        <FaultButtons
          fault={fault}
          position={(faults.value?.indexOf(fault) ?? 0) + 1}
          isLast={fault === faults.value?.at(-1)}
          run={run}
          reload={faults.reload}
        />
      )}
      form={{
        fields: (values) => faultFields(values, operations),
        more: 'method, path, match, headers, code, probability, expiry',
        explain: explainFault,
      }}
      add={{ start: NEW_FAULT, toBody: toFault, preview: 'Rule as JSON' }}
      edit={(fault) => {
        const start = toFaultValues(fault)
        return {
          start,
          toBody: (values) => toFaultChange(start, values),
          preview: 'Changes as JSON',
          save: (body) => api.admin('updateFault', { path: { id: fault.id }, body }),
          notice: `Changed rule ${fault.id}.`,
        }
      }}
    />
  )
}

const isEnabled = ({ enabled = true }: Admin['Fault']) => enabled

interface FaultButtonsProps {
  fault: Admin['Fault']
  /** From 1. */
  position: number
  isLast: boolean
  run: Run
  reload: () => Promise<void>
}

function FaultButtons({ fault, position, isLast, run, reload }: FaultButtonsProps) {
  const { api } = useDashboard()
  const name = `rule ${fault.id}`
  const enabled = isEnabled(fault)
  const change = (body: object) => api.admin('updateFault', { path: { id: fault.id }, body }).then(reload)

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
    <>
      <Button text="↑" label={`Move ${name} up`} disabled={position === 1} onClick={move(position - 1)} />
      <Button text="↓" label={`Move ${name} down`} disabled={isLast} onClick={move(position + 1)} />
      <Button
        text={enabled ? 'Disable' : 'Enable'}
        label={`${enabled ? 'Disable' : 'Enable'} ${name}`}
        onClick={() => run(() => change({ enabled: !enabled }))}
      />
    </>
  )
}

function Overrides({ operations }: { operations: Operations }) {
  const { api } = useDashboard()
  const { value, ...resource } = useAdmin('listOverrides', { topics: ['override', 'reset'] })
  return (
    <Rules
      {...resource}
      value={value?.toReversed()}
      noun="override"
      title="Overrides"
      kind="Override"
      lost="This removes all overrides and their counts, also those that a test made."
      empty="An override is your own response for one operation, until the next reset. The newest one that matches applies."
      describe={(override) => ({
        title: override.operation,
        state: override.active ? 'active' : 'used up',
        text: describeOverride(override),
        facts: `applied ${override.applied}`,
        details: (override.status ?? override.sequence) !== undefined && <Response override={override} />,
      })}
      canEdit={isEditable}
      form={{
        fields: (values) => overrideFields(values, operations),
        more: 'match, headers',
        explain: explainOverride,
      }}
      add={{ start: NEW_OVERRIDE, toBody: toOverride }}
      edit={(override) => ({
        start: toOverrideValues(override),
        toBody: toOverride,
        save: async (changed) => {
          await api.admin('addOverride', { body: changed })
          await api.admin('removeOverride', { path: { id: override.id } })
        },
        notice: `Replaced override ${override.id} with a new one.`,
      })}
    />
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

type NewRule = Pick<RuleFormProps, 'start' | 'toBody' | 'preview'>

interface Description {
  readonly title: string
  readonly state: string
  readonly text: string
  readonly facts: string
  readonly details?: ComponentChildren
}

interface RulesProps<Rule> {
  /** In the order in which they are shown. */
  value: readonly Rule[] | undefined
  failure: ApiFailure | undefined
  reload: () => Promise<void>
  noun: 'rule' | 'override'
  title: string
  /** Of the admin API. */
  kind: 'Fault' | 'Override'
  /** What is lost when all are removed. */
  lost: string
  /** Shown without rules. */
  empty: string
  describe: (rule: Rule) => Description
  /** More buttons of a rule. */
  buttons?: (rule: Rule, run: Run) => ComponentChildren
  canEdit?: (rule: Rule) => boolean
  form: Pick<RuleFormProps, 'fields' | 'more' | 'explain'>
  add: NewRule
  edit: (rule: Rule) => NewRule & Pick<RuleFormProps, 'save' | 'notice'>
}

/** A list of rules, a form for a new one, and a dialog that changes one. */
function Rules<Rule extends { readonly id: number; readonly active: boolean }>(props: RulesProps<Rule>) {
  const { value, reload, noun, title, kind, form } = props
  const { api } = useDashboard()
  const { run, failure } = useAction()
  /** The rule as it was when its form was opened. */
  const [edited, setEdited] = useState<Rule>()
  const remove = (event: MouseEvent, removed: () => Promise<unknown>, options = {}) =>
    keepFocus(event, () => run(() => removed().then(reload), options))
  const edit = edited && props.edit(edited)
  return (
    <div>
      <Section title={title}>
        <div class="between">
          <strong role="status">
            {value && plural(value.filter(({ active }) => active).length, `active ${noun}`)}
          </strong>
          {value && value.length > 0 && (
            <Button
              text="Remove all"
              label={`Remove all ${noun}s`}
              onClick={(event) =>
                remove(event, () => api.admin(`clear${kind}s`), {
                  question: { title: `Remove all ${noun}s?`, text: props.lost, action: 'Remove all' },
                })
              }
            />
          )}
        </div>
        <Alert failure={failure} />
        <LoadState value={value} failure={props.failure} />
        {value?.length === 0 && <Empty title={`No ${title.toLowerCase()}`}>{props.empty}</Empty>}
        <ul class="list">
          {value?.map((rule) => {
            const { state, facts, ...described } = props.describe(rule)
            const name = `${noun} ${rule.id}`
            return (
              <Item
                key={rule.id}
                {...described}
                badge={<Badge kind={rule.active ? 'accent' : ''}>{state}</Badge>}
                facts={`${capitalize(name)} · ${facts}`}
              >
                {props.buttons?.(rule, run)}
                {(props.canEdit?.(rule) ?? true) && (
                  <Button text="Edit" label={`Edit ${name}`} onClick={() => setEdited(rule)} />
                )}
                <Button
                  text="Remove"
                  label={`Remove ${name}`}
                  onClick={(event) => remove(event, () => api.admin(`remove${kind}`, { path: { id: rule.id } }))}
                />
              </Item>
            )
          })}
        </ul>
      </Section>
      <Section title={noun === 'rule' ? 'Add a rule' : 'Add an override'}>
        <RuleForm
          {...form}
          {...props.add}
          submit={`Add ${noun}`}
          save={(body) => api.admin(`add${kind}`, { body }).then(reload)}
          notice={`Added the ${noun}.`}
        />
      </Section>
      {/* Not in the list: a dialog that is moved in the page is no longer modal. */}
      {edited && edit && (
        <Dialog title={`Edit ${noun} ${edited.id}`} onClose={() => setEdited(undefined)}>
          <RuleForm
            {...form}
            {...edit}
            submit="Save"
            save={(rule) => edit.save(rule).then(reload)}
            onClose={() => setEdited(undefined)}
          />
        </Dialog>
      )}
    </div>
  )
}
