import { version } from '../generated/lib/version.js'

/**
 * Creates a value once for both builds of this version. A process may load the ES modules as well as CommonJS, and each has
 * its own copy of a module's variables.
 */
export function shareBetweenBuilds<T>(name: string, create: () => T): T {
  const globals = globalThis as typeof globalThis & Record<symbol, T | undefined>
  const key = Symbol.for(`petstore-mock ${version}: ${name}`)
  globals[key] ??= create()
  return globals[key]
}
