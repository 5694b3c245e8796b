type Json = Readonly<Record<string, unknown>>

/** What a JSON pointer in a fragment (`#/paths/~1books/get`) points to; undefined if the document does not have it. */
export function resolvePointer(document: object, pointer: string): unknown {
  if (!pointer.startsWith('#')) return undefined
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((node, part) => memberOf(node, unescapePart(part)), document)
}

function memberOf(node: unknown, name: string): unknown {
  return typeof node === 'object' && node !== null && Object.hasOwn(node, name) ? (node as Json)[name] : undefined
}

function unescapePart(part: string): string {
  // Large documents have thousands of references, nearly all of them plain.
  return /[%~]/.test(part) ? decodePercent(part).replaceAll('~1', '/').replaceAll('~0', '~') : part
}

/** Many documents do not encode a `%` in a reference. */
function decodePercent(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
