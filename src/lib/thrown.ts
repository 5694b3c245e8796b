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
