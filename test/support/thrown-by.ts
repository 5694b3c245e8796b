/** The error of this class that a function throws. Rethrows any other error. */
export function thrownBy<Thrown extends object>(
  errorClass: abstract new (...args: never[]) => Thrown,
  run: () => unknown,
): Thrown {
  try {
    run()
  } catch (error) {
    if (error instanceof errorClass) return error
    throw error
  }
  throw new Error('Nothing was thrown.')
}
