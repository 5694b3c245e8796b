import { createRequire } from 'node:module'
import { expect, onTestFinished } from 'vitest'
import { type NodeOptions, type NodePetstore, setupPetstore } from '../../src/adapters/node/index.js'

/** The major version of msw that is installed. */
export const mswMajor = Number.parseInt(createRequire(import.meta.url)('msw/package.json').version, 10)

/** A mock that listens until the test ends. Its unreported errors fail the test. */
export function listen(options: NodeOptions = {}): NodePetstore {
  const petstore = setupPetstore(options)
  petstore.listen()
  onTestFinished(() => petstore.close())
  return petstore
}

/** The names, codes and messages of an error and of its causes. */
export function describeError(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return []
  const { name, code, message, cause } = error as NodeJS.ErrnoException
  return [name, String(code), message, ...describeError(cause)]
}

/** The reason is the error's message or, with msw 3, that of its cause. */
export async function expectBlocked(call: Promise<unknown>, reason: string): Promise<void> {
  const error = await call.catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(Error)
  const { message, cause } = error as Error
  expect([message, (cause as Error | undefined)?.message].join('\n')).toContain(reason)
}
