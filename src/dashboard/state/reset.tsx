import { useState } from 'preact/hooks'
import { Alert, Button, Section } from '../components/display.js'
import { Form, SelectField, TextField } from '../components/form.js'
import { SEED } from '../constraints.js'
import { type Action, useAction, useAdmin, useDashboard } from '../context.js'
import { toNumber } from '../format.js'
import type { Health, Scenario } from '../types.js'
import { describeSizes } from './snapshots.js'

/** The starting data, and resetting to it or to another scenario. */
export function ResetCard() {
  const { api, confirm, notify } = useDashboard()
  const { value: health } = useAdmin<Health>('/health', { topics: ['reset'] })
  const { value: scenarios = [] } = useAdmin<Scenario[]>('/scenarios')
  const [chosen, setChosen] = useState<string>()
  const toStart = useAction()
  const toScenario = useAction()
  const name = chosen ?? health?.scenario ?? ''
  const scenario = scenarios.find((each) => each.name === name)

  async function reset(action: Action, title: string, options?: object): Promise<boolean> {
    const text = 'This resets the data, journal, fault rules and clock. Snapshots and coverage are kept.'
    if (!(await confirm({ title, text, action: 'Reset' }))) return false
    return action.run(async () => {
      await api.admin('POST', '/reset', options)
      setChosen(undefined)
      notify('The mock was reset.')
    })
  }

  return (
    <Section title="Starting data">
      <dl class="facts">
        <div>
          <dt>Scenario</dt>
          <dd>{health?.scenario ?? '…'}</dd>
        </div>
        <div>
          <dt>Seed</dt>
          <dd>{health?.seed ?? '…'}</dd>
        </div>
        <div>
          <dt>OpenAPI document</dt>
          <dd>
            <code>{health?.specHash ?? '…'}</code>
          </dd>
        </div>
      </dl>
      <Alert failure={toStart.failure} />
      <div class="actions">
        <Button kind="primary" disabled={toStart.busy} onClick={() => reset(toStart, 'Reset to the starting data?')}>
          Reset
        </Button>
      </div>
      <h3>Reset to another scenario</h3>
      <Form
        inline
        submit="Reset to scenario"
        action={toScenario}
        onInput={(values) => setChosen(values.scenario)}
        onSubmit={async ({ scenario, seed }, form) => {
          const options = { scenario, seed: toNumber(seed) }
          if (await reset(toScenario, `Reset to scenario ${scenario}?`, options)) form.reset()
        }}
      >
        <SelectField name="scenario" label="Scenario" value={name} options={scenarios.map((each) => each.name)} />
        <TextField name="seed" label="Seed" placeholder="startup seed" {...SEED} />
      </Form>
      <p class="hint">{scenario && `${scenario.description} (${describeSizes(scenario.sizes)})`}</p>
    </Section>
  )
}
