import { useState } from 'preact/hooks'
import type { Admin } from '../api.js'
import { Alert, Button, Facts, Section } from '../components/display.js'
import { Field, Form } from '../components/form.js'
import { SEED } from '../constraints.js'
import { type Run, useAction, useAdmin, useDashboard } from '../context.js'
import { toNumber } from '../format.js'
import { describeSizes } from './snapshots.js'

/** The starting data, and resetting to it or to another scenario. */
export function ResetCard() {
  const { api } = useDashboard()
  const { value: health } = useAdmin<Admin['Health']>('/health', { topics: ['reset'] })
  const { value: scenarios = [] } = useAdmin<Admin['Scenario'][]>('/scenarios')
  const [chosen, setChosen] = useState<string>()
  const action = useAction()
  const name = chosen ?? health?.scenario ?? ''
  const scenario = scenarios.find((each) => each.name === name)

  async function reset(run: Run, title: string, options?: object): Promise<boolean> {
    const text = 'This resets the data, journal, fault rules and clock. Snapshots and coverage are kept.'
    const isReset = await run(() => api.admin('POST', '/reset', options), {
      question: { title, text, action: 'Reset' },
      notice: 'The mock was reset.',
    })
    if (isReset) setChosen(undefined)
    return isReset
  }

  return (
    <Section title="Starting data">
      <Facts
        facts={[
          ['Scenario', health?.scenario ?? '…'],
          ['Seed', health?.seed ?? '…'],
          ['OpenAPI document', <code key="hash">{health?.specHash ?? '…'}</code>],
        ]}
      />
      <Alert failure={action.failure} />
      <div class="actions">
        <Button
          text="Reset"
          kind="primary"
          disabled={action.busy}
          onClick={() => reset(action.run, 'Reset to the starting data?')}
        />
      </div>
      <h3>Reset to another scenario</h3>
      <Form
        inline
        submit="Reset to scenario"
        onInput={(values) => setChosen(values.scenario)}
        onSubmit={async ({ scenario, seed }, run, form) => {
          const options = { scenario, seed: toNumber(seed) }
          if (await reset(run, `Reset to scenario ${scenario}?`, options)) form.reset()
        }}
      >
        <Field name="scenario" label="Scenario" value={name} options={scenarios.map((each) => each.name)} />
        <Field name="seed" label="Seed" placeholder="startup seed" {...SEED} />
      </Form>
      <p class="hint">{scenario && `${scenario.description} (${describeSizes(scenario.sizes)})`}</p>
    </Section>
  )
}
