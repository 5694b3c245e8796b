import { useState } from 'preact/hooks'
import { useAction, useDesk, useResource } from '../context.js'
import { toNumber } from '../format.js'
import { Problem, Section } from '../parts/bits.js'
import { Confirm } from '../parts/dialog.js'
import { Choice, Text } from '../parts/field.js'
import type { Health, Scenario } from '../types.js'
import { describeSizes } from './sizes.js'

/** Which world this is, the way back to its start, and the way into another. */
export function StartOverCard() {
  const { api, notify } = useDesk()
  const { value: health } = useResource('health', () => api.control<Health>('GET', '/health'), { topics: ['reset'] })
  const { value: scenarios = [] } = useResource('scenarios', () => api.control<Scenario[]>('GET', '/scenarios'))
  const [chosen, setChosen] = useState<string>()
  const [seed, setSeed] = useState('')
  const [asking, setAsking] = useState<'start' | 'other'>()
  const action = useAction()
  const name = chosen ?? health?.scenario ?? ''
  const scenario = scenarios.find((each) => each.name === name)
  const placed = ['seed', 'scenario'].includes(action.problem?.field ?? '')

  const reset = (target?: object) =>
    action.run(async () => {
      await api.control('POST', '/reset', target)
      setChosen(undefined)
      setSeed('')
      notify('The mock has started over.')
    })
  const other = () => ({ scenario: name, ...(seed.trim() !== '' && { seed: toNumber(seed) }) })

  return (
    <Section title="This world">
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
          <dt>Document</dt>
          <dd>
            <code>{health?.specHash ?? '…'}</code>
          </dd>
        </div>
      </dl>
      <div class="actions">
        <button type="button" class="button primary" disabled={action.busy} onClick={() => setAsking('start')}>
          Reset to the start
        </button>
      </div>
      <h3>Start over in another world</h3>
      <form
        class="row"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setAsking('other')
        }}
      >
        <Choice
          label="Scenario"
          value={name}
          options={scenarios.map((each) => [each.name, each.name] as const)}
          problem={action.problem?.field === 'scenario' ? action.problem.message : undefined}
          onChange={setChosen}
        />
        <Text
          label="Seed"
          value={seed}
          placeholder="as started"
          numeric
          problem={action.problem?.field === 'seed' ? action.problem.message : undefined}
          onInput={setSeed}
        />
        <button type="submit" class="button" disabled={action.busy}>
          Start over
        </button>
      </form>
      <p class="hint two-lines">{scenario && `${scenario.description} (${describeSizes(scenario.sizes)})`}</p>
      {!placed && <Problem of={action.problem} />}
      {asking && (
        <Confirm
          title={asking === 'start' ? 'Reset to the start?' : `Start over in ${name}?`}
          action={asking === 'start' ? 'Reset' : 'Start over'}
          onConfirm={() => reset(asking === 'start' ? undefined : other())}
          onClose={() => setAsking(undefined)}
        >
          The data, the journal, the fault rules and the clock start over. Snapshots and coverage stay.
        </Confirm>
      )}
    </Section>
  )
}
