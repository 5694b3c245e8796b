import { toNumber } from '../format.js'
import type { Field, Kind, Row } from './kinds.js'

/** What stands in a form, by field: all of it text. */
export type Values = Readonly<Record<string, string>>

export function toValues(kind: Kind, row: Row | undefined): Values {
  return Object.fromEntries(kind.fields.map(({ name }) => [name, row?.[name] === undefined ? '' : String(row[name])]))
}

/**
 * The body of a request from what stands in a form. What is empty is left out, and what is no number where one belongs
 * is sent as it is: it is the API that says what is wrong.
 */
export function toBody(kind: Kind, names: readonly string[], values: Values, before: Values | undefined): Row {
  const fields = kind.fields.filter(({ name }) => names.includes(name))
  const given = fields.filter((field) => {
    const value = values[field.name] ?? ''
    // A PATCH has only what was changed. A name may be empty; whatever else is empty is not there.
    if (before !== undefined && kind.edit.method === 'PATCH' && value === before[field.name]) return false
    return value !== '' || (field.type === 'text' && field.required)
  })
  return Object.fromEntries(given.map((field) => [field.name, toJson(field, values[field.name] ?? '')]))
}

function toJson({ type }: Field, text: string): unknown {
  if (type === 'id' || type === 'integer') return toNumber(text)
  return type === 'boolean' ? text === 'true' : text
}
