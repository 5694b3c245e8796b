/// <reference lib="esnext.disposable" preserve="true" />
import { makeDisposable } from '../../lib/disposable.js'

/** Something that was added and can be removed again, at the latest by a reset. A `using` block removes it at its end. */
export interface Removable extends Disposable {
  /** Can be called more than once. */
  remove(): void
}

/** Adds the functions of a handle to a description. They are hidden from comparisons and JSON. */
export function makeRemovable<T extends object>(description: T, remove: () => void): T & Removable {
  return makeDisposable(Object.defineProperty(description, 'remove', { value: remove }), remove) as T & Removable
}
