import { memory } from './adapter-memory.js'
import { upstream } from './adapter-upstream.js'
import type { Adapter } from './adapters.js'

/** Replaces `adapters-node.ts` for a mock in front of the real service. */
export const adapters: readonly Adapter[] = [{ ...memory, isOnlyCompared: true }, upstream]
