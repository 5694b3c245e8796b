import { stringifyJson } from '../../lib/json.js'
import { isObject } from '../../lib/values.js'
import type { ServiceResource } from '../resources/service-resource.js'

/**
 * Writes a part of an exported state. Not as its schema says, which could leave out what a record has. 64-bit integers, which
 * are texts if no number holds them, become integers.
 */
export function createStateWriter(resources: readonly ServiceResource[]): (part: object) => string {
  const integers = new Map(
    resources.map(({ name, fields }) => [
      name,
      fields.filter(({ isInt64 }) => isInt64).map(({ property }) => property),
    ]),
  )

  function toExact(value: unknown, names: readonly string[]): unknown {
    if (!isObject(value)) return value
    const texts = names.filter((name) => typeof value[name] === 'string' && INTEGER.test(value[name]))
    return texts.length === 0
      ? value
      : { ...value, ...Object.fromEntries(texts.map((name) => [name, BigInt(value[name] as string)])) }
  }

  return (part) => {
    const members = Object.entries(part).map(([name, value]) => {
      if (name === 'nextIds') return [name, toExact(value, Object.keys(Object(value)))]
      const names = integers.get(name) ?? []
      return [name, Array.isArray(value) && names.length > 0 ? value.map((each) => toExact(each, names)) : value]
    })
    return stringifyJson(Object.fromEntries(members)) as string
  }
}

const INTEGER = /^-?\d+$/
