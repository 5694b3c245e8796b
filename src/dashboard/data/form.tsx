import { Dialog } from '../components/dialog.js'
import { type Constraints, Form, SelectField, TextField, type Values } from '../components/form.js'
import { DATE_TIME, ID, INTEGER } from '../constraints.js'
import { useAction, useDashboard } from '../context.js'
import { toNumber } from '../format.js'
import { BOOLEANS, type Collection, type Field, type Row, STATUSES, titleOf } from './collections.js'
import { useData } from './context.js'

const CONSTRAINTS: Readonly<Record<'id' | 'integer' | 'date' | 'text', Constraints>> = {
  id: ID,
  integer: INTEGER,
  date: DATE_TIME,
  text: {},
}

/** Changes a record through the API, or creates one. */
export function RecordForm({ row, onClose }: { readonly row?: Row; readonly onClose: () => void }) {
  const { api, notify } = useDashboard()
  const { collection, categories } = useData()
  const action = useAction()
  const id = row && String(row[collection.key])
  const title = id === undefined ? `New ${collection.singular}` : titleOf(collection, id)

  async function save(values: Values) {
    const body = toBody(collection, values, row)
    const isSaved = await action.run(() =>
      id === undefined
        ? api.send('POST', collection.path, body)
        : api.send(collection.update, `${collection.path}/${id}`, body),
    )
    if (!isSaved) return
    notify(id === undefined ? `Created the ${collection.singular}.` : `Changed ${title}.`)
    onClose()
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <Form submit={id === undefined ? 'Create' : 'Save'} action={action} onSubmit={save} onCancel={onClose}>
        {writableFields(collection).map(({ name, label, type, required, of }) => {
          const field = {
            name,
            label: required ? label : `${label} (optional)`,
            defaultValue: row && toText(row[name]),
          }
          if (type === 'status' || type === 'boolean') {
            const options = type === 'status' ? STATUSES : BOOLEANS
            return <SelectField key={name} {...field} options={[['', 'not set'], ...options]} />
          }
          return (
            <TextField
              key={name}
              {...field}
              // The API accepts an empty text.
              required={required === true && type !== 'text'}
              {...CONSTRAINTS[type]}
              suggestions={of === 'categories' ? [...categories] : undefined}
            />
          )
        })}
      </Form>
    </Dialog>
  )
}

function writableFields({ fields, writable }: Collection): Field[] {
  return fields.filter(({ name }) => writable.includes(name))
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

function toJson(type: Field['type'], text: string): unknown {
  if (type === 'id' || type === 'integer') return toNumber(text)
  return type === 'boolean' ? text === 'true' : text
}
