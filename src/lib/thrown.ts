/** Any value as text for a message, shortened. Never throws, unlike `String` for an object without a prototype. */
export function describeValue(value: unknown, maxLength = 200): string {
  for (const describe of [String, (odd: unknown) => Object.prototype.toString.call(odd)]) {
    try {
      const text = describe(value)
      return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
    } catch {
      // Try the next one.
    }
  }
  return 'a value that cannot be shown'
}

/** Like `instanceof Error`, which throws for some proxies. */
export function isError(value: unknown): value is Error {
  try {
    return value instanceof Error
  } catch {
    return false
  }
}

/**
 * The file and line where something was thrown, without frames of Node and of the package that `ownStack` comes from.
 * Undefined where stacks look different.
 */
export function placeIn(stack: string, ownStack = ''): string | undefined {
  const [own] = filesIn(ownStack)
  const ownFolder = own?.path.match(/^.*\/(?:dist|src)\//)?.[0]
  if (ownFolder === undefined) return undefined
  const found = filesIn(stack).find(({ path }) => !path.startsWith(ownFolder))
  return found && `${found.path.split('/').at(-1)}:${found.line}`
}

function filesIn(stack: string) {
  return [...stack.matchAll(FILE_AND_LINE)].map(([, path = '', line = '']) => ({ path, line }))
}

/** A frame, or the first line of a syntax error. A file that was imported again has a query. */
const FILE_AND_LINE = /^(?: *at (?:.*\()?)?((?:file:\/\/)?\/.+?)(?:\?[^:]*)?:(\d+)(?::\d+\)?)?$/gm
