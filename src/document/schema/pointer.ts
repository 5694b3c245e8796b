import { unescapeToken } from '../../lib/json-pointer.js'
import { decodePercent } from '../../lib/text.js'
import type { Json } from '../../lib/values.js'

/** What a JSON pointer in a fragment (`#/paths/~1books/get`) points to; undefined if the document does not have it. */
export function resolvePointer(document: object, pointer: string): unknown {
  if (!pointer.startsWith('#')) return undefined
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((node, part) => memberOf(node, decodeToken(part)), document)
}

function memberOf(node: unknown, name: string): unknown {
  return typeof node === 'object' && node !== null && Object.hasOwn(node, name) ? (node as Json)[name] : undefined
}

/** A token in a fragment. Many documents do not encode a `%` in a reference. */
export const decodeToken = (token: string) => unescapeToken(decodePercent(token))
