import type { AppliedFault } from '../../http/messages.js'

export type FaultKind = AppliedFault['kind']

/** What a fault rule says about its kind. */
interface KindFields {
  readonly kind?: FaultKind | undefined
  readonly status?: unknown
  readonly code?: unknown
  readonly message?: unknown
  readonly delayMs?: unknown
}

/** The kind of a fault rule, or the default that its other fields suggest. */
export function faultKindOf({ kind, status, code, message, delayMs }: KindFields): FaultKind {
  const isError = [status, code, message].some((given) => given !== undefined)
  return kind ?? (delayMs !== undefined && !isError ? 'delay' : 'error')
}
