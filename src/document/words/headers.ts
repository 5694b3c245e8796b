/** What a client that is never limited reads. */
export const RATE_LIMITS: readonly (readonly [name: RegExp, value: string])[] = [
  [/^(x-)?rate-?limit-limit$/i, '5000'],
  [/^(x-)?rate-?limit-remaining$/i, '4999'],
  [/^(x-)?rate-?limit-used$/i, '1'],
]

/** Headers whose values are secret, whatever the document says. In lower case. */
export const SECRETS = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']

/** The header whose value makes a request happen once, in lower case. */
export const IDEMPOTENCY_HEADER = 'idempotency-key'

/** What documents call it, and such a property of a request. Normalized. */
export const IDEMPOTENCY_KEY = /^x?(idempoten(t|cy)|idempotence)(key|id|token)$/

/** How the description of such a header calls it. */
export const IDEMPOTENCY_KEY_IN_TEXT = /idempotency[- ]key/i
