import type { Adapter } from '../support/adapters.js'
import { memory } from '../support/adapters-in-memory.js'

/** What is tried on mutants is not how a request comes in: one adapter is enough, and the fastest is taken. */
export const adapters: readonly Adapter[] = [memory]
