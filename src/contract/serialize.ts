import type { Id } from './int64.js'
import { stringifyJson } from './json.js'
import { propertiesOf, type Schema } from './schema.js'

export type Serialize = (value: unknown) => string

/**
 * Compiles a schema to a function that writes exactly the fields the schema knows, in its order, ids digit for digit.
 * A field that is null or undefined is left out: the contract has no nullable field, so null means "not there".
 */
export function compileSerializer(schema: Schema): Serialize {
  if (schema.int64) return (value) => value as Id
  if (schema.type === 'array') return serializeArray(compileSerializer(schema.items ?? {}))
  if (schema.type === 'object' || schema.properties || schema.allOf) return serializeObject(schema)
  if (schema.type === 'string') return serializeText
  // Whatever it is: there may be an id of more than 53 bits inside.
  return schema.type === undefined ? serializeAny : JSON.stringify
}

/** What stands in JSON as it is. Most texts are like this, and to find out takes half as long as to have it written. */
const PLAIN = /^[ !#-[\]-~]*$/

const serializeText: Serialize = (text) =>
  typeof text === 'string' && PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)

const serializeAny: Serialize = (value) => stringifyJson(value) ?? 'null'

function serializeArray(item: Serialize): Serialize {
  return (values) => {
    let text = '['
    let separator = ''
    for (const value of values as unknown[]) {
      text += separator + item(value)
      separator = ','
    }
    return `${text}]`
  }
}

interface Member {
  readonly name: string
  readonly label: string
  readonly write: Serialize
  readonly isAny: boolean
}

function serializeObject(schema: Schema): Serialize {
  const fields = Object.entries(propertiesOf(schema))
  // An object that may have members no schema names (a whole document, say) is written as it is.
  if (schema.additionalProperties || fields.length === 0) return serializeAny
  const members = fields.map(
    ([name, property]): Member => ({
      name,
      label: `${JSON.stringify(name)}:`,
      write: compileSerializer(property),
      // Of a member that may be anything null is a value.
      isAny: property.type === undefined && !property.int64 && !property.allOf,
    }),
  )
  return (object) => {
    let text = '{'
    let separator = ''
    for (let index = 0; index < members.length; index += 1) {
      const { name, label, write, isAny } = members[index] as Member
      const value = (object as Record<string, unknown>)[name]
      if (value === undefined || (value === null && !isAny)) continue
      text += separator + label + write(value)
      separator = ','
    }
    return `${text}}`
  }
}
