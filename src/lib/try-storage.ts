import { orElse } from './or-else.js'

/** Uses a browser's storage. The browser may deny a page access to it: nothing is stored then, and this returns undefined. */
export function tryStorage<T>(use: () => T): T | undefined {
  return orElse<T | undefined>(use, undefined)
}
