/** A value as text for a message, whatever it is: `String` itself throws for an object without a prototype. */
export function describeValue(value: unknown): string {
  for (const describe of [String, (odd: unknown) => Object.prototype.toString.call(odd)]) {
    try {
      return describe(value)
    } catch {
      // The next way may work.
    }
  }
  return 'a value that cannot be shown'
}

/** Also for what throws when it is asked for its prototype. */
export function isError(value: unknown): value is Error {
  try {
    return value instanceof Error
  } catch {
    return false
  }
}
