import type { Instance } from '../../engine/instance/instance.js'
import type { RecordedControl, RecordedExchange, RecordedRequest } from '../../engine/log/reproduction.js'
import { withLinearMatch } from '../../engine/rules/linear-match.js'
import type { ServiceTypes } from '../../engine/service.js'
import { HIDDEN } from '../../http/header-rules.js'
import type { PlainRequest } from '../../http/messages.js'
import { fromBase64 } from '../../lib/text.js'

/** The request as it was sent, without the headers that are hidden. */
export function toPlainRequest(recorded: RecordedRequest): PlainRequest {
  const { method, path, query = '', base = '', headers, tooLarge } = recorded
  const known = Object.entries(headers).filter(([, value]) => value !== HIDDEN)
  const body = tooLarge ? 'too large' : bytesOf(recorded)
  return { method, path, query, base, headers: Object.fromEntries(known), ...(body !== undefined && { body }) }
}

export function bytesOf({
  body,
  isBase64,
}: Pick<RecordedRequest, 'body' | 'isBase64'>): Uint8Array<ArrayBuffer> | undefined {
  if (body === undefined) return undefined
  return isBase64 ? fromBase64(body) : new TextEncoder().encode(body)
}

/** In lower case. */
export function hiddenHeaders({ headers }: Pick<RecordedRequest, 'headers'>): string[] {
  return Object.keys(headers).filter((name) => headers[name] === HIDDEN)
}

interface GivenOverride {
  readonly operation: never
  readonly times?: number
  readonly match?: object
  readonly sequence?: readonly unknown[]
}

/** Overrides that stand in for the functions of a test: they return the recorded responses. */
export function createOverrideFunctions<T extends ServiceTypes>(instance: Pick<Instance<T>, 'override'>) {
  let current: RecordedExchange | undefined
  let wereCalled = false

  function respond() {
    wereCalled = true
    const { status = 500, headers = {}, ...content } = current?.response ?? {}
    const body = bytesOf(content)
    return { status, headers: { 'content-type': headers['content-type'] ?? 'text/plain' }, ...(body && { body }) }
  }

  return {
    add({ body }: RecordedControl['control']): void {
      const { operation, times, match, sequence } = withLinearMatch(body ?? {}) as GivenOverride
      const options = { ...(times !== undefined && { times }), ...(match && { match }), raw: true } as const
      const functions = sequence?.map((each) => (each === 'pass' ? each : respond))
      instance.override(operation, (functions ?? respond) as never, options)
    },
    /** The request that comes next. */
    start(step: RecordedExchange): void {
      current = step
      wereCalled = false
    },
    /** Whether one of them made the response to this request. */
    wereCalled: () => wereCalled,
  }
}
