/** The command was called in a way it does not understand: one line, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
