import { useState } from 'preact/hooks'
import { useAction, useDesk } from '../context.js'
import { Problem } from '../parts/bits.js'
import { Dialog } from '../parts/dialog.js'
import { Choice, Text } from '../parts/field.js'
import { type Kind, type Row, STATUSES, titleOf } from './kinds.js'
import { toBody, toValues } from './values.js'

export interface RecordFormProps {
  readonly kind: Kind
  /** What is changed; a new one is made where there is none. */
  readonly row?: Row | undefined
  /** The names of categories by id, to choose from. */
  readonly categories: ReadonlyMap<string, string>
  readonly onClose: () => void
}

/** Creates or changes a record through the API, and shows what the API has against it. */
export function RecordForm({ kind, row, categories, onClose }: RecordFormProps) {
  const { api, notify } = useDesk()
  const before = row && toValues(kind, row)
  const [values, setValues] = useState(() => toValues(kind, row))
  const action = useAction()
  const names = (row ? kind.edit.fields : kind.create) ?? []
  const fields = kind.fields.filter(({ name }) => names.includes(name))
  const id = row && String(row[kind.key])
  const title = id === undefined ? `New ${kind.one}` : titleOf(kind, id)
  const { problem } = action
  const isPlaced = fields.some(({ name }) => name === problem?.field)

  async function save() {
    const body = toBody(kind, names, values, before)
    const done = await action.run(() =>
      id === undefined ? api.store('POST', kind.path, body) : api.store(kind.edit.method, `${kind.path}/${id}`, body),
    )
    if (!done) return
    notify(id === undefined ? `The ${kind.one} was created.` : `${title} was changed.`)
    onClose()
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {fields.map((field) => {
          const shared = {
            label: field.required ? field.label : `${field.label} (optional)`,
            value: values[field.name] ?? '',
            hint: field.hint,
            problem: problem?.field === field.name ? problem.message : undefined,
            wide: true,
          }
          const set = (value: string) => setValues({ ...values, [field.name]: value })
          const options = field.type === 'status' ? STATUSES : field.type === 'boolean' ? ['false', 'true'] : undefined
          if (options) {
            const all = ['', ...options].map((option) => [option, option || 'leave it to the store'] as const)
            return <Choice key={field.name} {...shared} options={all} onChange={set} />
          }
          return (
            <Text
              key={field.name}
              {...shared}
              numeric={field.type === 'id' || field.type === 'integer'}
              suggestions={field.of === 'categories' ? [...categories] : undefined}
              onInput={set}
            />
          )
        })}
        {!isPlaced && <Problem of={problem} />}
        <div class="actions end">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button primary" disabled={action.busy}>
            {id === undefined ? 'Create' : 'Save'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
