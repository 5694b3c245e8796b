import { Dialog } from '../components/dialog.js'
import { type Constraints, Field, Form, type Values } from '../components/form.js'
import { DATE_TIME, ID, INTEGER } from '../constraints.js'
import { type Run, useDashboard } from '../context.js'
import { toNumber } from '../format.js'
import { type Collection, type Field as DataField, idOf, type Row, titleOf, useData, VALUES } from './collections.js'

const CONSTRAINTS: Partial<Record<DataField['type'], Constraints>> = { id: ID, integer: INTEGER, date: DATE_TIME }

/** Changes a record through the API, or creates one. */
export function RecordForm({ row, onClose }: { row?: Row; onClose: () => void }) {
  const { api } = useDashboard()
  const { collection, categories } = useData()
  const { path, singular, update } = collection
  const id = row && idOf(collection, row)
  const [title, submit, notice] =
    id === undefined
      ? [`New ${singular}`, 'Create', `Created the ${singular}.`]
      : [titleOf(collection, id), 'Save', `Changed ${titleOf(collection, id)}.`]

  async function save(values: Values, run: Run) {
    const body = toBody(collection, values, row)
    const send = () => (id === undefined ? api.send('POST', path, body) : api.send(update, `${path}/${id}`, body))
    if (await run(send, { notice })) onClose()
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <Form submit={submit} onSubmit={save} onCancel={onClose}>
        {writableFields(collection).map(({ name, label, type, required = false, of }) => (
          <Field
            key={name}
            name={name}
            label={required ? label : `${label} (optional)`}
            defaultValue={row && toText(row[name])}
            options={VALUES[type] && [['', 'not set'], ...VALUES[type]]}
            // The API accepts an empty text.
            required={required && type !== 'text'}
            {...CONSTRAINTS[type]}
            suggestions={of === 'categories' ? [...categories] : undefined}
          />
        ))}
      </Form>
    </Dialog>
  )
}

function writableFields({ fields }: Collection): DataField[] {
  return fields.filter(({ readOnly }) => !readOnly)
}

function toText(value: unknown): string {
  return value === undefined ? '' : String(value)
}

/** The request body for a form. Leaves out empty values, except for required text, and what a PATCH does not change. */
export function toBody(collection: Collection, values: Values, row: Row | undefined): Row {
  const sent = writableFields(collection).filter(({ name, type, required }) => {
    const value = values[name] ?? ''
    if (row !== undefined && collection.update === 'PATCH' && value === toText(row[name])) return false
    return value !== '' || (type === 'text' && required)
  })
  return Object.fromEntries(sent.map(({ name, type }) => [name, toJson(type, values[name] ?? '')]))
}

function toJson(type: DataField['type'], text: string): unknown {
  if (type === 'id' || type === 'integer') return toNumber(text)
  return type === 'boolean' ? text === 'true' : text
}
