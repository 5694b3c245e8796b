import { isBytes } from './kind.js'

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
