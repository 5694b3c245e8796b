import { copyData } from '../../lib/copy-data.js'
import { unescapeToken } from '../../lib/json-pointer.js'
import type { ApiError } from '../contract/errors.js'
import type { Validate, Violation } from '../contract/validators.js'
import { escapePointer, toSchemaViolation } from '../contract/violations.js'
import { type ErrorFields, valuesFor } from './error-fields.js'
import { nearestValue } from './nearest-value.js'

type Key = string | number
/** An object or a list in a body. */
type Holder = Record<Key, unknown>

/** An error for which every field that can be filled has a value. */
const ANY_ERROR: ErrorFields = {
  code: '',
  message: '',
  status: 400,
  path: '',
  method: '',
  at: 0,
  requestId: '',
  field: '',
  pointer: '',
}

/**
 * Fills a body with an error: each field whose name says what it is gets the first value that the schema allows, and keeps
 * its own if there is none. A list gets an item for each violation.
 */
export function fillError(
  template: unknown,
  error: ErrorFields,
  { violations, sources }: Pick<ApiError, 'violations' | 'sources'>,
  schema: Validate,
): unknown {
  const root: Holder = { body: copyData(template) }
  // A template that does not conform says nothing about what does.
  const isChecked = schema(root.body)
  const allows = () => !isChecked || schema(root.body)
  const places = sources.map(placeOf)
  /** Whether the list that is being filled says of something else what it is about. */
  let isMisleading = false

  function leaveOut(holder: Holder, key: Key): boolean {
    const old = holder[key]
    holder[key] = undefined
    if (allows()) return true
    holder[key] = old
    return false
  }

  function visit(holder: Holder, key: Key, name: string, pointer: string, filled: ErrorFields): void {
    const value = holder[key]
    if (Array.isArray(value)) {
      fillList(holder, key, name, pointer, filled)
    } else if (isHolder(value)) {
      for (const inner of Object.keys(value)) visit(value, inner, inner, `${pointer}/${escapePointer(inner)}`, filled)
    } else {
      fillField(holder, key, name, pointer, filled)
    }
  }

  function fillList(holder: Holder, key: Key, name: string, pointer: string, filled: ErrorFields): void {
    const list = holder[key] as unknown[]
    const item = list[0]
    if (item === undefined || !tells(item, name, [])) return
    const messages = isHolder(item) || typeof item === 'string' ? violations : []
    for (const wanted of [messages.map(() => copyData(item)), [item], list]) {
      holder[key] = wanted
      if (wanted.length > 0 && allows()) break
    }
    const items = holder[key] as Holder & unknown[]
    isMisleading = false
    for (const index of items.keys()) {
      const told = { ...filled, message: messages[index] ?? filled.message, ...places[index] }
      visit(items, index, name, `${pointer}/${index}`, told)
    }
    const isEmpty = items.some((each) => isHolder(each) && Object.values(each).every((inner) => inner === undefined))
    if ((isMisleading || isEmpty) && leaveOut(holder, key)) isMisleading = false
  }

  function fillField(holder: Holder, key: Key, name: string, pointer: string, filled: ErrorFields): void {
    const old = holder[key]
    const siblings = Array.isArray(holder) ? [] : Object.keys(holder)
    const isOfType = (value: unknown) => old === null || typeof value === typeof old
    const known = valuesFor(name, filled, siblings)
    if (known.length === 0 && tells(old, name, siblings)) {
      if (!leaveOut(holder, key)) isMisleading = true
      return
    }
    const values = known.filter(isOfType)
    for (const value of values) {
      holder[key] = value
      if (allows()) return
      const listed = listedValues(schema, pointer)
      const nearest = listed && nearestValue(listed, filled.code, filled.status)
      if (nearest === undefined || values.some((each) => listed?.includes(each))) continue
      holder[key] = nearest
      if (allows()) return
    }
    holder[key] = old
  }

  visit(root, 'body', 'message', '', { ...error, ...places[0] })
  return withoutUndefined(root.body)
}

function placeOf(source: Violation): Pick<ErrorFields, 'field' | 'pointer'> {
  const { pointer } = toSchemaViolation(source)
  const [place = '', ...names] = pointer.split('/').slice(1).map(unescapeToken)
  const isBody = place === 'requestBody'
  return names.length === 0
    ? {}
    : { field: names.join('.'), ...(isBody && { pointer: `/${pointer.split('/').slice(2).join('/')}` }) }
}

/** What remains of a made-up body if everything is left out that says nothing about an error, as far as the schema allows. */
export function pruneError(body: unknown, schema: Validate): unknown {
  const root: Holder = { body }
  if (!schema(body)) return body

  function prune(holder: Holder): void {
    for (const name of Object.keys(holder)) {
      const value = holder[name]
      if (isHolder(value)) prune(value)
      if (tells(value, name, Object.keys(holder))) continue
      holder[name] = undefined
      if (!schema(root.body)) holder[name] = value
    }
  }
  if (isHolder(body) && !Array.isArray(body)) prune(body)
  return withoutUndefined(body)
}

/** Whether something in a field can be filled. */
function tells(value: unknown, name: string, siblings: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((item) => tells(item, name, []))
  if (isHolder(value)) return Object.keys(value).some((inner) => tells(value[inner], inner, Object.keys(value)))
  return value !== undefined && valuesFor(name, ANY_ERROR, siblings).length > 0
}

/** The values that a schema lists for a place, as far as its last violation says so. */
function listedValues({ errors }: Validate, pointer: string): readonly unknown[] | undefined {
  const { enum: listed } =
    errors?.find(({ instancePath, keyword }) => instancePath === pointer && keyword === 'enum')?.parentSchema ?? {}
  return listed
}

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined)
  if (!isHolder(value)) return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutUndefined(inner)]))
}

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null
