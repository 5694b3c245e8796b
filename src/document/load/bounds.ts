import { MockError } from '../../http/errors.js'
import { toPointer } from '../../lib/json-pointer.js'
import { WITH_SCHEMAS } from '../schema/keywords.js'
import { walk } from '../schema/walk.js'

/** Of all files of a document together. The largest public documents have 15 MB. */
export const MAX_BYTES = 32 * 1024 * 1024

export const MAX_FILES = 1000

/** The schemas of real documents are nested about 30 deep. */
const MAX_DEPTH = 100

/** Aliases of YAML count each time they are used. */
const MAX_VALUES = 2_000_000

/** The properties of one schema, or the parameters of one operation. Compiling more takes seconds. */
const MAX_PARTS = 2000

/** The choices or parts of one schema: all of them are compiled at the first request. Public documents have up to 150. */
const MAX_CHOICES = 500

/** Most documents are one file: it is looked at before its references, and is the whole document after that. */
const fine = new WeakSet<object>()

export const CANNOT_BE_USED = 'The OpenAPI document cannot be used:'

/** Throws INVALID_DOCUMENT for a document whose size alone makes it unusable. */
export function requireBounded(document: object): void {
  const excess = findExcess(document)
  if (excess !== undefined) throw new MockError('INVALID_DOCUMENT', CANNOT_BE_USED, { problems: [excess] })
}

/** Why a document is too large to be read, or dangerous; undefined if it is neither. Starts with a JSON pointer. */
export function findExcess(document: object): string | undefined {
  if (fine.has(document)) return undefined
  const excess = readExcess(document)
  if (excess === undefined) fine.add(document)
  return excess
}

function readExcess(document: object): string | undefined {
  let values = 0
  for (const { value, path, depth } of walk(document, { again: true, withData: true })) {
    const keys = Object.keys(value)
    values += keys.length
    if (depth > MAX_DEPTH) return `${toPointer(path).slice(0, 100)}… is nested deeper than ${MAX_DEPTH} levels.`
    if (values > MAX_VALUES) return `/ has more than ${MAX_VALUES.toLocaleString('en-US')} values.`
    if (Object.hasOwn(value, '__proto__')) return `${toPointer(path)}/__proto__ is not allowed as a name.`
    const max = maxOf(path.key, Array.isArray(value))
    if (keys.length > max) return `${toPointer(path)} has ${keys.length} ${path.key}. The maximum is ${max}.`
  }
  return undefined
}

/** How many members there may be below a key. */
function maxOf(key: string | undefined, isList: boolean): number {
  if (isList && key !== undefined && WITH_SCHEMAS.includes(key)) return MAX_CHOICES
  return key === 'properties' || (key === 'parameters' && isList) ? MAX_PARTS : Number.POSITIVE_INFINITY
}
