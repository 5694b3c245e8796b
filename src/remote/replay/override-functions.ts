import { withLinearMatch } from '../../engine/control/linear-match.js'
import type { Instance } from '../../engine/instance/instance.js'
import type { RecordedControl, RecordedExchange } from '../../engine/reproduction/reproduction.js'
import type { ServiceTypes } from '../../engine/service.js'
import { bytesOf } from './recorded-request.js'

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
