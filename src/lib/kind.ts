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
