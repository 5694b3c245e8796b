/** A browser may deny a page access to storage. Then nothing is stored, and this returns undefined. */
export function attempt<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}
