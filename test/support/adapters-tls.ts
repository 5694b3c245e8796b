import { memory } from './adapter-memory.js'
import { http2, https } from './adapter-tls.js'
import type { Adapter } from './adapters.js'

/** Replaces `adapters-node.ts` in the long tests. */
export const adapters: readonly Adapter[] = [{ ...memory, isOnlyCompared: true }, https, http2]
