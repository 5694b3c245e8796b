import { memory } from '../support/adapter-memory.js'
import type { Adapter } from '../support/adapters.js'

/** The mutated code is behind every adapter, so the fastest one is enough. */
export const adapters: readonly Adapter[] = [memory]
