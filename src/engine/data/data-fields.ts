import { parseAnyId, toJsonInt64 } from '../../lib/int64.js'
import { isKind } from '../../lib/kind.js'
import { describeValue } from '../../lib/thrown.js'
import { describeUnknown, MockError } from '../contract/errors.js'
import type { ServiceResource } from '../resources/service-resource.js'

/** The given fields that are not undefined. Throws for an unknown field: a typo in a test must not go unnoticed. */
export function readFields<Fields extends object>(call: string, given: Fields, known: readonly string[]): Fields {
  // Others, such as the promise of an async function, have no fields to read.
  if (!isKind(given, 'Object')) {
    const received = Array.isArray(given) ? 'a list' : describeValue(given)
    throw new MockError('INVALID_DATA', `data.${call} expects an object, but received ${received}.`)
  }
  const fields = Object.entries(given).filter(([, value]) => value !== undefined)
  const unknown = fields.find(([name]) => !known.includes(name))?.[0]
  if (unknown === undefined) return Object.fromEntries(fields) as Fields
  throw new MockError('INVALID_DATA', `data.${call}: ${describeUnknown('field', unknown, known)}`)
}

/** The fields as a request has them: 64-bit integers may be given as numbers, bigints or strings. */
export function writeFields(
  { fields }: ServiceResource,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const integers = new Set(fields.filter(({ isInt64 }) => isInt64).map(({ property }) => property))
  const written = Object.entries(given).map(([name, value]) => {
    if (value === undefined || !integers.has(name)) return [name, rejectBigint(name, value)]
    const id = parseAnyId(value)
    if (id !== undefined) return [name, toJsonInt64(id)]
    const message = `An id must be a 64-bit integer, but is ${String(value)}.`
    throw new MockError('INVALID_DATA', message)
  })
  return Object.fromEntries(written)
}

function rejectBigint(name: string, value: unknown): unknown {
  if (typeof value !== 'bigint') return value
  throw new MockError('INVALID_DATA', `/${name} is not an id and must not be a bigint.`)
}
