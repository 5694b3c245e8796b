/** The part of an OpenAPI 3.0 schema that this project's documents use, with every reference resolved. */
export interface Schema {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  readonly allOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  /** Custom: what a `pattern` requires, as it reads after "must be". */
  readonly 'x-in-words'?: string
  /** Custom: replaces `type: integer, format: int64`, which Ajv cannot check exactly on doubles. */
  readonly int64?: true
}

/** Includes the properties of its `allOf` parts. */
export function propertiesOf(schema: Schema): Record<string, Schema> {
  return Object.assign({}, ...(schema.allOf ?? []).map(propertiesOf), schema.properties)
}

/** What a schema requires, as it reads after "must be". */
export function describeSchema(schema: Schema): string {
  if (schema.enum) return `one of ${schema.enum.join(', ')}`
  if (schema['x-in-words']) return schema['x-in-words']
  if (schema.oneOf) return describeChoices(schema.oneOf)
  if (schema.int64) return 'a 64-bit integer'
  if (schema.format === 'date-time') return 'an RFC 3339 date-time such as 2026-03-31T09:30:00Z'
  switch (schema.type) {
    case 'integer':
      return `an integer from ${schema.minimum ?? Number.MIN_SAFE_INTEGER} to ${schema.maximum ?? Number.MAX_SAFE_INTEGER}`
    case 'number':
      return describeNumber(schema)
    case 'string':
      return describeString(schema)
    case 'array':
      return `${describeList(schema)}, each item ${describeSchema(schema.items ?? {})}`
    case 'object':
      return 'an object'
    case 'null':
      return 'left out'
    case undefined:
      return schema.properties || schema.allOf ? 'an object' : 'any value'
    default:
      return `a ${schema.type}`
  }
}

/** Does not repeat what the items of a list must be if that is one of the choices: "a number or a list of two". */
function describeChoices(choices: readonly Schema[]): string {
  const descriptions = choices.map(describeSchema)
  const isListOfChoice = ({ items }: Schema) => items !== undefined && descriptions.includes(describeSchema(items))
  return choices
    .map((choice, index) => (isListOfChoice(choice) ? describeList(choice) : descriptions[index]))
    .join(' or ')
}

function describeList({ minItems, maxItems }: Schema): string {
  if (maxItems === undefined) return 'a list'
  return minItems === maxItems
    ? `a list of ${NUMBER_WORDS[maxItems] ?? maxItems}`
    : `a list of ${minItems ?? 0} to ${maxItems}`
}

const NUMBER_WORDS = ['none', 'one', 'two', 'three']

function describeString({ minLength = 0, maxLength }: Schema): string {
  if (maxLength !== undefined) return `a string of ${minLength} to ${maxLength} characters`
  return minLength > 0 ? 'a non-empty string' : 'a string'
}

function describeNumber({ minimum, maximum }: Schema): string {
  if (minimum === undefined) return 'a number'
  return maximum === undefined ? `a number of at least ${minimum}` : `a number from ${minimum} to ${maximum}`
}
