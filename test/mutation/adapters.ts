import { memory } from '../support/adapter-memory.js'
import type { Adapter } from '../support/adapters.js'

/** What is tried on mutants is not how a request comes in: one adapter is enough, and the fastest is taken. */
export const adapters: readonly Adapter[] = [memory]
