/** The name of the running test, if there is a global `expect` that knows it: in Jest, and in vitest with `globals`. */
export function currentTest(): string | undefined {
  const { expect } = globalThis as { expect?: { getState?(): { currentTestName?: string } } }
  return expect?.getState?.().currentTestName
}
