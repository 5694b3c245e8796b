import { useRef, useState } from 'preact/hooks'
import { parseJson } from '../../lib/json.js'
import { Refusal } from '../api.js'
import { download } from '../browser-files.js'
import { useAction, useDesk } from '../context.js'
import { Problem, Section } from '../parts/bits.js'
import { Confirm } from '../parts/dialog.js'
import { prettyJson } from '../pretty.js'

/** All data as a file, out and in. */
export function StateFileCard() {
  const { api, notify } = useDesk()
  const chooser = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [file, setFile] = useState<File>()
  const action = useAction()

  const save = () =>
    action.run(async () => download('petstore-state.json', `${prettyJson(await api.control('GET', '/state'))}\n`))
  const importFile = (given: File) =>
    action.run(async () => {
      await api.control('PUT', '/state', await readState(given))
      notify(`The data is that of ${given.name}.`)
    })
  const choose = (files: FileList | null | undefined) => {
    action.clear()
    if (files?.[0]) setFile(files[0])
  }

  return (
    <Section title="State as a file">
      <p>The export is a fixture file: it can be imported here, and the mock can be started from it.</p>
      <div class="actions">
        <button type="button" class="button" disabled={action.busy} onClick={save}>
          Export the state
        </button>
        <button type="button" class="button" disabled={action.busy} onClick={() => chooser.current?.click()}>
          Import a file…
        </button>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button does the same */}
      <div
        class={over ? 'drop over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          choose(event.dataTransfer?.files)
        }}
      >
        or drop a fixture file here
      </div>
      <input
        ref={chooser}
        hidden
        type="file"
        accept="application/json,.json"
        onChange={(event) => {
          choose(event.currentTarget.files)
          // So that the same file can be chosen again once it was mended.
          event.currentTarget.value = ''
        }}
      />
      <Problem of={action.problem} />
      {file && (
        <Confirm
          title={`Import ${file.name}?`}
          action="Import"
          onConfirm={() => importFile(file)}
          onClose={() => setFile(undefined)}
        >
          The data of now is replaced. Clock, faults, journal and snapshots stay.
        </Confirm>
      )}
    </Section>
  )
}

async function readState(file: File): Promise<unknown> {
  try {
    return parseJson(await file.text())
  } catch (error) {
    throw new Refusal('NOT_JSON', `${file.name} is not JSON: ${(error as Error).message}`, 0)
  }
}
