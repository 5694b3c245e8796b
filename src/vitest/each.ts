import type { NodePetstore } from '../adapters/node/index.js'

/** Any of vitest's functions: `test`, `test.concurrent`, `test.for([…])`, `test.beforeEach` … */
// biome-ignore lint/suspicious/noExplicitAny: they have nothing in common but being called
export type Callable = (...args: any[]) => any

/** Vitest's `test`, or what `test.concurrent` and the like return. */
type TestApi = Callable & { for: Callable }

/**
 * `each` by means of `for`, with the cases handed over and titled as `each` does: vitest gives no context to a test under
 * `each`, and so no pet store to run it in.
 */
export function eachInContext(test: TestApi): Callable {
  return (cases: readonly unknown[], ...values: unknown[]) => {
    const isTable = values.length > 0
    const areArrays = !isTable && cases.every((one) => Array.isArray(one))
    // What `for` makes a title of, and then hands over; nothing would be no value to it.
    const titled = isTable ? cases : cases.map((one) => (Array.isArray(one) ? one : [one]))
    const argsOf = new Map(isTable ? [] : cases.map((one, index) => [titled[index], areArrays ? titled[index] : [one]]))
    const declare = test.for(titled, ...values)
    return (name: unknown, ...rest: unknown[]) => declare(name, ...rest.map((part) => withArgs(part, argsOf)))
  }
}

/** The test itself; options in front of it or a time-out behind it are left alone. */
function withArgs(part: unknown, argsOf: ReadonlyMap<unknown, unknown>): unknown {
  if (typeof part !== 'function') return part
  // Vitest reads in its text that it asks for a pet store.
  return (one: unknown, { petstore }: { petstore: NodePetstore }) =>
    petstore.run(() => part(...((argsOf.get(one) as unknown[] | undefined) ?? [one])))
}
