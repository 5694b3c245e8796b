import { parseJson } from '../../lib/json.js'
import { ApiFailure } from '../api.js'
import { Alert, Button, download, Section } from '../components/display.js'
import { useAction, useDashboard } from '../context.js'
import { prettyJson } from '../pretty-json.js'

/** Exports the data to a file, and imports it. */
export function StateFileCard() {
  const { api } = useDashboard()
  const action = useAction()

  const exportFile = () =>
    action.run(async () => download('petstore-state.json', `${prettyJson(await api.admin('GET', '/state'))}\n`))

  const importFile = (file: File) =>
    action.run(async () => api.admin('PUT', '/state', await readJson(file)), {
      question: {
        title: `Import ${file.name}?`,
        text: 'This replaces the current data. Clock, faults, journal and snapshots are kept.',
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
        <label for="fixture-file">Import a fixture file: choose it, or drop it here</label>
        <input
          id="fixture-file"
          type="file"
          accept="application/json,.json"
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

async function readJson(file: File): Promise<unknown> {
  try {
    return parseJson(await file.text())
  } catch (error) {
    throw new ApiFailure('NOT_JSON', `${file.name} is not JSON: ${(error as Error).message}`)
  }
}
