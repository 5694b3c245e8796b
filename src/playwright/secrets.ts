import { resolveExpected } from '../assertions/received.js'
import { MockError } from '../engine/contract/errors.js'
import type { JournalFilter } from '../engine/control/journal.js'
import type { RequestMatch, ValueMatch } from '../engine/control/json-match.js'
import { hideSecrets } from '../engine/control/secrets.js'
import { isKind } from '../lib/kind.js'
import { quote } from '../lib/quote.js'

/**
 * The journal of another process has no secrets, so that process must compare them: returns the filter for it, and the
 * expected request with secrets hidden as in the journal.
 */
export function hideExpectedSecrets(
  operation: string,
  given: object = {},
): { expected: object; filter: JournalFilter } {
  const expected = resolveExpected(given)
  const headers: Record<string, ValueMatch> = { ...expected.headers }
  const hidden = hideSecrets(headers)
  const secrets = Object.entries(headers).filter(([name, value]) => hidden[name] !== value)
  for (const [name, value] of secrets) {
    if (typeof value === 'string' || isKind(value, 'RegExp')) continue
    throw new MockError(
      'INVALID_OPTION',
      `The mock hides the header ${quote(name)} in its journal. Expect a text or a regular expression for it.`,
    )
  }
  if (secrets.length === 0) return { expected, filter: { operation } }
  const match: RequestMatch = { headers: Object.fromEntries(secrets) }
  return { expected: { ...expected, headers: hidden }, filter: { operation, match } }
}
