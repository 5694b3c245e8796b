import { isAdminPath, isStatePath } from './address.js'
import type { PlainRequest } from './messages.js'

/** Bounds the work that a request can cause and the memory that recording it takes. The same for every adapter. */
export interface Limits {
  /** How deep objects and arrays in a request body may be nested. Default: 64. */
  maxJsonDepth: number
  /** How many values a request body may hold: members of objects and items of arrays, on all levels. Default: 10,000. */
  maxJsonValues: number
  /** The largest request body, in bytes. Default: 1,048,576. */
  maxBodyBytes: number
  /** The largest state that can be imported over HTTP, in bytes. Default: 67,108,864. */
  maxStateBytes: number
  /** How many characters a path and its query may have together. Default: 8,192. */
  maxUrlLength: number
  /** How many parameters a query may have. Default: 256. */
  maxQueryParameters: number
  /** How many requests the journal of an instance holds. Default: 1,000. */
  journalSize: number
  /** About how many bytes of requests and responses the journal of an instance holds. Default: 4,194,304. */
  journalBytes: number
  /** How many sandboxes there may be. Beyond it the least recently used is removed. Default: 256. */
  maxSandboxes: number
  /** How long a sandbox may be unused before it is removed, in milliseconds. Default: 1,800,000, half an hour. */
  sandboxIdleMs: number
}

export const DEFAULT_LIMITS: Readonly<Limits> = {
  maxBodyBytes: 1_048_576,
  maxJsonDepth: 64,
  maxJsonValues: 10_000,
  maxStateBytes: 67_108_864,
  maxUrlLength: 8192,
  maxQueryParameters: 256,
  journalSize: 1000,
  journalBytes: 4_194_304,
  maxSandboxes: 256,
  sandboxIdleMs: 1_800_000,
}

/** For tests that arrange data: they are not clients. */
export const NO_LIMITS = {
  maxBodyBytes: Number.POSITIVE_INFINITY,
  maxJsonDepth: Number.POSITIVE_INFINITY,
  maxJsonValues: Number.POSITIVE_INFINITY,
  maxUrlLength: Number.POSITIVE_INFINITY,
  maxQueryParameters: Number.POSITIVE_INFINITY,
} satisfies Partial<Limits>

/** The largest body of an admin request, apart from a state. */
export const MAX_ADMIN_BODY_BYTES = 1_048_576

/** How many bytes of a stream may wait for a slow reader before the stream is ended. */
export const MAX_WAITING_BYTES = 1_048_576

/** How much of a body an adapter reads, before the operation is known. */
export function maxBodyBytesFor(path: string, { maxBodyBytes, maxStateBytes }: Readonly<Limits>): number {
  if (!isAdminPath(path)) return maxBodyBytes
  return isStatePath(path) ? maxStateBytes : MAX_ADMIN_BODY_BYTES
}

/** Adapters that read whole bodies and those that stop at the limit must give the same response. */
export function limitBody(request: PlainRequest, limits: Readonly<Limits>): PlainRequest {
  const { body, path } = request
  if (body === undefined || body.length <= maxBodyBytesFor(path, limits)) return request
  return { ...request, body: 'too large' }
}
