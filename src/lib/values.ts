/** An object of JSON, or of a document. */
export type Json = Readonly<Record<string, unknown>>

/** The items of a list by a key, in their order. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

const PRIMITIVES = ['undefined', 'boolean', 'number', 'bigint', 'string']

/**
 * Like `structuredClone`, which some test environments lack, and whose objects belong to another realm in Jest, so that
 * they do not strictly equal objects of the test.
 */
export function copyData<T>(value: T): T
export function copyData(value: unknown): unknown {
  if (value === null || PRIMITIVES.includes(typeof value)) return value
  if (Array.isArray(value)) return Array.from(value, (item) => copyData(item))
  if (isBytes(value)) return new Uint8Array(value)
  if (Object.prototype.toString.call(value) !== '[object Object]') return structuredClone(value)
  return Object.fromEntries(Object.entries(value as object).map(([name, member]) => [name, copyData(member)]))
}

/** Whether two JSON values are the same, whatever the order of their members. A missing member equals an undefined one. */
export function isEqualJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => isEqualJson(one[name as never], other[name as never]))
}

/** An object literal: not an array, and not an instance of a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** An object of any class, but not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Throws if one is not a number: what was saved may be damaged, or of another version. */
export function requireNumbers(...values: unknown[]): void {
  if (!values.every(Number.isFinite)) throw new TypeError('A number is missing.')
}

/** A member of an object that may have any name: `constructor` of an object without one is undefined. */
export function ownMember<Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** Sets a member whose name may be `__proto__`. Assigning to that would change the prototype, or do nothing. */
export function setMember<Value>(object: Record<string, Value>, name: string, value: Value): void {
  if (name !== '__proto__') object[name] = value
  else Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
}

/** An object without the members that are undefined. */
export function withoutUndefined(members: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

/** What a function returns; another value if it throws. */
export function orElse<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}

/**
 * Like `instanceof`, but true for objects of another realm as well: in jsdom, happy-dom and Jest the code under test has
 * constructors of its own.
 */
export function isKind<K extends keyof Kinds>(value: unknown, kind: K): value is Kinds[K] {
  return Object.prototype.toString.call(value) === `[object ${kind}]`
}

interface Kinds {
  readonly Date: Date
  readonly Headers: Headers
  /** Also an instance of a class. */
  readonly Object: Record<string, unknown>
  readonly Promise: Promise<unknown>
  readonly RegExp: RegExp
  readonly Request: Request
  readonly Response: Response
  readonly URL: URL
}

/** Typed arrays of any realm. Node's `Buffer` is one. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === '[object Uint8Array]'
}
