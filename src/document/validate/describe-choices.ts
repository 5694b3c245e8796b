import { isPlainObject } from '../../lib/values.js'
import { propertiesWithoutChoices, requiredIn } from '../schema/facts.js'
import type { Schema } from '../schema/schema.js'
import { describeSchema } from './describe-schema.js'

/** More would hide what matters. */
const MAX_CHOICES = 5

/** Why a value fits none of several choices, or more than one, as it reads after what it is. Empty if nothing is known. */
export function describeFit({ oneOf, anyOf }: Schema, value: unknown, passed: readonly number[]): string {
  const choices = oneOf ?? anyOf ?? []
  if (passed.length > 1) {
    const fitting = passed.slice(0, MAX_CHOICES).map((index) => describeChoice(choices, index))
    return `, which fits ${passed.length} choices where it must fit one: ${fitting.join(' and ')}`
  }
  if (!isPlainObject(value)) return ''
  const reasons = choices.flatMap((choice, index) => {
    const reason = typeof choice === 'object' ? reasonAgainst(choice, value) : undefined
    return reason === undefined ? [] : [`${describeChoice(choices, index)} ${reason}`]
  })
  return reasons.length === 0 ? '' : ` that fits none: ${reasons.slice(0, MAX_CHOICES).join('; ')}`
}

/** By its place, and its title if it has one. */
function describeChoice(choices: readonly Schema[], index: number): string {
  const { title } = Object(choices[index]) as { readonly title?: unknown }
  return `choice ${index + 1}${typeof title === 'string' ? ` (${title})` : ''}`
}

function reasonAgainst(choice: Schema, value: Readonly<Record<string, unknown>>): string | undefined {
  const properties = propertiesWithoutChoices(choice)
  const isMissing = (name: string) => !Object.hasOwn(value, name) && properties[name]?.readOnly !== true
  const missing = [...requiredIn(choice)].filter(isMissing)
  if (missing.length > 0) return `requires ${missing.join(', ')}`
  const isListed = ({ enum: listed, const: only }: Schema, member: unknown) =>
    (listed?.includes(member) ?? true) && (only === undefined || only === member)
  const wrong = Object.entries(properties).find(
    ([name, schema]) => Object.hasOwn(value, name) && !isListed(schema, value[name]),
  )
  if (wrong) return `requires ${wrong[0]} to be ${describeSchema(wrong[1])}`
  const unknown =
    choice.additionalProperties === false && Object.keys(value).find((name) => !Object.hasOwn(properties, name))
  return unknown ? `has no ${unknown}` : undefined
}
