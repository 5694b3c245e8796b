import { useRef, useState } from 'preact/hooks'
import { parseJson } from '../../lib/json.js'
import { ApiFailure } from '../api.js'
import { Alert, download, Section } from '../components/display.js'
import { useAction, useDashboard } from '../context.js'
import { prettyJson } from '../pretty-json.js'

/** Exports the data to a file, and imports it. */
export function StateFileCard() {
  const { api, confirm, notify } = useDashboard()
  const input = useRef<HTMLInputElement>(null)
  const [isDraggedOver, setDraggedOver] = useState(false)
  const action = useAction()

  const exportFile = () =>
    action.run(async () => download('petstore-state.json', `${prettyJson(await api.admin('GET', '/state'))}\n`))

  async function importFile(file: File | undefined) {
    if (file === undefined) return
    const text = 'This replaces the current data. Clock, faults, journal and snapshots are kept.'
    if (!(await confirm({ title: `Import ${file.name}?`, text, action: 'Import' }))) return
    await action.run(async () => {
      await api.admin('PUT', '/state', await readJson(file))
      notify(`Imported ${file.name}.`)
    })
  }

  return (
    <Section title="Export and import">
      <p>The exported file is a fixture file: import it here, or start the mock with it.</p>
      <div class="actions">
        <button type="button" class="button" disabled={action.busy} onClick={exportFile}>
          Export state
        </button>
        <button type="button" class="button" disabled={action.busy} onClick={() => input.current?.click()}>
          Import file…
        </button>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button does the same */}
      <div
        class={isDraggedOver ? 'drop over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault()
          setDraggedOver(true)
        }}
        onDragLeave={() => setDraggedOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setDraggedOver(false)
          void importFile(event.dataTransfer?.files[0])
        }}
      >
        or drop a fixture file here
      </div>
      <input
        ref={input}
        hidden
        type="file"
        accept="application/json,.json"
        onChange={(event) => {
          void importFile(event.currentTarget.files?.[0])
          // Otherwise choosing the same file again would not be a change.
          event.currentTarget.value = ''
        }}
      />
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
