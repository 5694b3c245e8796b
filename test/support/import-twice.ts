import { vi } from 'vitest'

/** Two copies of a module, as in a process that loads the ES modules as well as the CommonJS build. */
export async function importTwice<T>(load: () => Promise<T>): Promise<[T, T]> {
  vi.resetModules()
  const one = await load()
  vi.resetModules()
  return [one, await load()]
}
