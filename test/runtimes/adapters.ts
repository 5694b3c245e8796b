/** The adapters of the behaviour suite on Bun and Deno. Interception has its own tests there. */
import { memory } from '../support/adapter-memory.js'
import { server } from '../support/adapter-server.js'
import type { Adapter } from '../support/adapters.js'

export const adapters: readonly Adapter[] = [{ ...memory, isOnlyCompared: true }, server]
