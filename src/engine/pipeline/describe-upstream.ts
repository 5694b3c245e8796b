import type { DeclaredOperation } from '../../document/contract/contract.js'
import { isSafeMethod } from '../../http/methods.js'
import type { Upstream } from './upstream.js'

/** What is passed through, and which of it changes data of the real service. */
export function describeUpstream(
  { url, passed, passesUnknown }: Upstream,
  operations: readonly DeclaredOperation[],
): DescribedUpstream {
  const writes = operations.filter(({ operation, method }) => passed.includes(operation) && !isSafeMethod(method))
  return {
    url,
    passed,
    of: operations.length,
    unknown: passesUnknown,
    writes: writes.map(({ operation }) => operation),
  }
}

export interface DescribedUpstream {
  readonly url: string
  readonly passed: readonly string[]
  readonly of: number
  /** Whether paths that the document does not know are passed through, too. */
  readonly unknown: boolean
  readonly writes: readonly string[]
}

const MAX_WRITES = 10

/** One line for the start: passing writes through touches somebody's data, so that is said. */
export function upstreamLine({ url, passed, of, unknown, writes }: DescribedUpstream): string {
  const shown = [
    ...(writes.length > MAX_WRITES ? [`${writes.length} operations`] : writes),
    ...(unknown ? ['unknown paths'] : []),
  ]
  const warning = shown.length === 0 ? '' : `, of which these CHANGE ITS DATA: ${shown.join(', ')}`
  return `${url} answers ${passed.length} of ${of} operations${unknown ? ' and unknown paths' : ''}${warning}`
}

/** Whether the line is a warning. */
export function passesWrites({ writes, unknown }: DescribedUpstream): boolean {
  return writes.length > 0 || unknown
}
