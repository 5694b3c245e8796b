import { memory } from './adapter-memory.js'
import { http2, https } from './adapter-tls.js'
import type { Adapter } from './adapters.js'

/** Replaces `adapters-node.ts` for HTTPS/1.1 and HTTP/2. */
export const adapters: readonly Adapter[] = [{ ...memory, isOnlyCompared: true }, https, http2]
