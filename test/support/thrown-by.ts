/** The error of this kind that something must throw; any other goes on. */
export function thrownBy<Refusal extends object>(
  kind: abstract new (...args: never[]) => Refusal,
  run: () => unknown,
): Refusal {
  try {
    run()
  } catch (error) {
    if (error instanceof kind) return error
    throw error
  }
  throw new Error('nothing was refused')
}
