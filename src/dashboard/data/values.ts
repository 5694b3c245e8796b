import type { Constraints } from '../components/field.js'
import type { Values } from '../components/problems.js'
import { DATE_TIME, ID, INTEGER, toDateTime } from '../constraints.js'
import { checkJson, readJsonField } from '../faults/fields.js'
import { toNumber } from '../format.js'
import { prettyJson } from '../pretty-json.js'
import type { CollectionView, Column, Row } from './collections.js'

export const CONSTRAINTS: Partial<Record<Column['type'], Constraints>> = {
  id: ID,
  integer: INTEGER,
  number: { type: 'number', step: 'any' },
  date: { type: 'date' },
  'date-time': DATE_TIME,
  json: { check: checkJson },
}

/** The columns of a form: of a new record, or of one that has an id, which stays. */
export function formColumns({ columns }: CollectionView, isNew: boolean): Column[] {
  return columns.filter((column) => !column.readOnly && (isNew || column !== columns[0]))
}

/** Whether a record can lose its value. PATCH keeps a value that is left out. */
export function canBeRemoved({ update }: CollectionView, { required, isKept = false }: Column): boolean {
  return update === 'PUT' && !required && !isKept
}

/** The text of a value in a form. */
export function toText({ name, type }: Column, row: Row): string {
  const value = row[name]
  if (value === undefined || (value === null && type !== 'json')) return ''
  return type === 'json' ? prettyJson(value) : String(value)
}

/** The request body for a form. Leaves out empty values, except for required text, and what a PATCH does not change. */
export function toBody(collection: CollectionView, values: Values, row: Row | undefined): Row {
  const sent = formColumns(collection, row === undefined).filter((column) => {
    const value = values[column.name] ?? ''
    if (row !== undefined && collection.update === 'PATCH' && value === toText(column, row)) return false
    return value !== '' || (column.type === 'text' && column.required)
  })
  const [key] = collection.columns
  return {
    // A client that chooses the id repeats it in a PUT.
    ...(row && !key.readOnly && collection.update === 'PUT' && { [key.name]: row[key.name] }),
    ...Object.fromEntries(sent.map(({ name, type }) => [name, toJson(type, values[name] ?? '')])),
  }
}

function toJson(type: Column['type'], text: string): unknown {
  if (type === 'id' || type === 'integer' || type === 'number') return toNumber(text)
  if (type === 'date-time') return toDateTime(text)
  if (type === 'json') return readJsonField(text)
  return type === 'boolean' ? text === 'true' : text
}
