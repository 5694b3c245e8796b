import type { Contract } from '../../document/contract/contract.js'
import { apiError, describeUnknown } from '../../http/errors.js'
import { parseJson } from '../../lib/json.js'
import { encodeJson } from '../../lib/json-in-steps.js'
import { quote, toBytes } from '../../lib/text.js'
import { toHar } from '../log/har.js'
import type { JournalFilter } from '../log/journal.js'
import { withLinearMatch } from '../rules/linear-match.js'
import type { RequestMatch } from '../rules/request-match.js'
import { type AdminHandlers, NO_CONTENT, toExport } from './handler.js'

export function createJournalHandlers(contract: Contract) {
  /** A filter that can match nothing must not go unnoticed. */
  function readFilter(query: object): JournalFilter {
    const { match, ...filter } = query as JournalFilter & { match?: string }
    const { operation } = filter
    const known = contract.operations().map((each) => each.operation)
    if (operation !== undefined && !known.includes(operation)) {
      throw apiError('INVALID_REQUEST', describeUnknown('operation', operation, known))
    }
    return match === undefined ? filter : withLinearMatch({ ...filter, match: readMatch(match) })
  }

  return {
    async getJournal({ target: { journalEntries }, query, handleOptions }) {
      const { waitMs = 0, times = 1, ...filter } = query
      const part = await journalEntries(readFilter(filter), {
        times,
        timeoutMs: waitMs,
        signal: handleOptions?.signal,
        closing: handleOptions?.closing,
      })
      return toExport(handleOptions, function* (write) {
        return yield* encodeJson(yield* part, write)
      })
    },
    clearJournal({ target: { instance } }) {
      instance.journal.clear()
      return NO_CONTENT
    },
    getJournalEntry({ target: { instance }, path: { id } }) {
      const entry = instance.journal.find(id)
      if (entry) return { status: 200, body: entry }
      throw apiError('ENTRY_NOT_FOUND', `Journal entry ${id} does not exist or was evicted.`)
    },
    async getJournalHar({ target: { journalEntries }, query, handleOptions }) {
      const part = await journalEntries(readFilter(query))
      return toExport(handleOptions, function* (write) {
        return toBytes(write(toHar((yield* part).entries)))
      })
    },
  } satisfies Partial<AdminHandlers>
}

/** A match in a query is JSON. */
function readMatch(text: string): RequestMatch {
  try {
    return parseJson(text) as RequestMatch
  } catch {
    throw apiError('INVALID_REQUEST', `query parameter match must be JSON, but is ${quote(text)}`)
  }
}
