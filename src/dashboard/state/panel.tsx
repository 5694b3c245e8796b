import { useState } from 'preact/hooks'
import { parseJson } from '../../lib/json.js'
import { type Admin, ApiFailure } from '../api.js'
import { Alert, Button, download, Facts, Item, keepFocus, LoadState, Section } from '../components/display.js'
import { Field, Form } from '../components/form.js'
import { NAME, SEED } from '../components/values.js'
import { type Run, useAction, useDashboard } from '../context.js'
import { dateAndTime, describeScenario, plural, prettyJson, toNumber } from '../format.js'
import { useAdmin, useCollections } from '../resource.js'
import { ClockCard } from './clock.js'

export function StatePanel() {
  return (
    <div class="columns">
      <div>
        <ResetCard />
        <SnapshotsCard />
      </div>
      <div>
        <ClockCard />
        <StateFileCard />
      </div>
    </div>
  )
}

/** The starting data, and resetting to it or to another scenario. */
function ResetCard() {
  const { value: health, failure } = useAdmin('getHealth', { topics: ['reset'] })
  const { value: scenarios = [] } = useAdmin('listScenarios')
  const describeSizes = useDescribeSizes()
  const [chosen, setChosen] = useState<string>()
  const name = chosen ?? health?.scenario ?? ''
  const scenario = scenarios.find((each) => each.name === name)

  const askAndReset = useReset()
  async function reset(run: Run, title: string, options?: object): Promise<boolean> {
    const isReset = await askAndReset(run, title, options)
    if (isReset) setChosen(undefined)
    return isReset
  }

  return (
    <Section title="Starting data">
      <Facts
        facts={[
          ['Scenario', health ? describeScenario(health) : '…'],
          ['Seed', health?.seed ?? '…'],
          ['OpenAPI document', <code key="hash">{health?.specHash ?? '…'}</code>],
        ]}
      />
      <Alert failure={failure} />
      <Form submit="Reset" onSubmit={(_, run) => reset(run, 'Reset to the starting data?')} />
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

/** There is no event for a new snapshot. */
const POLL_MS = 5000

function SnapshotsCard() {
  const { api } = useDashboard()
  const { value, failure, reload } = useAdmin('listSnapshots', { everyMs: POLL_MS })
  const describeSizes = useDescribeSizes()
  const action = useAction()

  async function take(name: string, run: Run, form: HTMLFormElement) {
    const text = 'A snapshot with this name exists and will be replaced.'
    const replace = { title: `Replace snapshot ${name}?`, text, action: 'Replace' }
    const isTaken = await run(() => api.admin('takeSnapshot', { body: { name } }).then(reload), {
      question: value?.some((snapshot) => snapshot.name === name) ? replace : undefined,
      notice: `Took snapshot ${name}.`,
    })
    if (isTaken) form.reset()
  }

  const restore = (name: string) =>
    action.run(() => api.admin('restoreSnapshot', { path: { name } }), {
      question: {
        title: `Restore snapshot ${name}?`,
        text: 'This replaces the current data. Clock, faults, overrides and journal are kept.',
        action: 'Restore',
      },
      notice: `Restored snapshot ${name}.`,
    })

  const remove = (name: string) =>
    action.run(() => api.admin('deleteSnapshot', { path: { name } }).then(reload), {
      question: { title: `Delete snapshot ${name}?`, text: 'This cannot be undone.', action: 'Delete' },
      notice: `Deleted snapshot ${name}.`,
    })

  return (
    <Section title="Snapshots">
      <Form inline submit="Take snapshot" onSubmit={({ name = '' }, run, form) => take(name, run, form)}>
        <Field name="name" label="Name" placeholder="before-checkout" required {...NAME} />
      </Form>
      <Alert failure={action.failure} />
      <LoadState value={value} failure={failure} />
      {value?.length === 0 && <p class="quiet">No snapshots yet. A snapshot stores the current data and ids.</p>}
      <ul class="list">
        {value?.map(({ name, takenAt, sizes }) => (
          <Item key={name} title={name} facts={`${dateAndTime(takenAt)} UTC · ${describeSizes(sizes)}`}>
            <Button text="Restore" label={`Restore ${name}`} onClick={() => restore(name)} />
            <Button text="Delete" label={`Delete ${name}`} onClick={(event) => keepFocus(event, () => remove(name))} />
          </Item>
        ))}
      </ul>
    </Section>
  )
}

/** Returns a function that describes the number of records: `1 author, 3 books`. */
function useDescribeSizes(): (sizes: Admin['Sizes']) => string {
  const { value: collections = [] } = useCollections()
  return (sizes) =>
    Object.entries(sizes)
      .map(([name, count]) => {
        const { noun = name, title = name } = collections.find((each) => each.name === name) ?? {}
        return plural(count, noun, title.toLowerCase())
      })
      .join(', ')
}

/** Exports the data to a file, and imports it. */
function StateFileCard() {
  const { api } = useDashboard()
  const action = useAction()

  const exportFile = () =>
    action.run(async () => download('petstore-state.json', `${prettyJson(await api.admin('getState'))}\n`))

  const importFile = (file: File) =>
    action.run(async () => api.admin('replaceState', { body: await readFixture(file) }), {
      question: {
        title: `Import ${file.name}?`,
        text: 'This replaces the current data. Clock, faults, overrides, journal and snapshots are kept.',
        action: 'Import',
      },
      notice: `Imported ${file.name}.`,
    })

  return (
    <Section title="Export and import">
      <p>The exported file is a fixture file: import it here, or start the mock with it.</p>
      <div class="actions">
        <Button text="Export state" kind="regular" disabled={action.busy} onClick={exportFile} />
      </div>
      <div class="field">
        <label for="fixture-file">Import a fixture file (JSON or YAML): choose it, or drop it here</label>
        <input
          id="fixture-file"
          type="file"
          accept={FIXTURE_FILES}
          onChange={({ currentTarget: input }) => {
            const file = input.files?.[0]
            // So that choosing the same file again is a change.
            input.value = ''
            if (file) void importFile(file)
          }}
        />
      </div>
      <Alert failure={action.failure} />
    </Section>
  )
}

/** Returns a function that resets the mock after a question. It resolves with whether the mock was reset. */
export function useReset() {
  const { api } = useDashboard()
  return (run: Run, title: string, options?: object): Promise<boolean> =>
    run(() => api.admin('resetMock', { body: options }), {
      question: {
        title,
        text: 'This resets the data, journal, fault rules, overrides and clock. Snapshots and coverage are kept.',
        action: 'Reset',
      },
      notice: 'The mock was reset.',
    })
}

const YAML = /\.ya?ml$/i

/** The types of files that `readFixture` reads, for a file field. */
const FIXTURE_FILES = 'application/json,.json,.yaml,.yml'

/** The content of a fixture file. Its name says whether it is JSON or YAML. */
async function readFixture(file: File): Promise<unknown> {
  const text = await file.text()
  return YAML.test(file.name) ? parseYamlFile(file.name, text) : parseJsonFile(file.name, text)
}

function parseJsonFile(name: string, text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw new ApiFailure('NOT_JSON', `${name} is not JSON: ${(error as Error).message}`)
  }
}

/** The parser is as large as the rest of the dashboard, so it is loaded only for a YAML file. */
async function parseYamlFile(name: string, text: string): Promise<unknown> {
  const { parseYaml, YamlError } = await import('../../lib/yaml.js').catch(() => {
    throw new ApiFailure('NO_YAML_PARSER', `${name} was not read: the page could not load its YAML parser. Try again.`)
  })
  try {
    return parseYaml(text)
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    throw new ApiFailure('NOT_YAML', `${name}: ${error.message}`)
  }
}
