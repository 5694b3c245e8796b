import type { Contract } from '../contract/contract.js'
import { apiError, describeUnknown } from '../contract/errors.js'
import type { JournalFilter } from '../control/journal.js'
import { type AdminHandlers, NO_CONTENT } from './handler.js'

type JournalOperation = 'getJournal' | 'clearJournal' | 'getJournalEntry' | 'getJournalHar'

/** `contract` is the service's, whose operations a filter can name. */
export function createJournalHandlers(contract: Contract): AdminHandlers<JournalOperation> {
  /** A filter that can match nothing must not go unnoticed. */
  function readFilter(query: object): JournalFilter {
    const { operation } = query as JournalFilter
    const known = contract.operations().map((each) => each.operation)
    if (operation !== undefined && !known.includes(operation)) {
      throw apiError('INVALID_REQUEST', describeUnknown('operation', operation, known))
    }
    return query as JournalFilter
  }

  return {
    getJournal({ target: { instance }, query }) {
      const { total, evicted } = instance.journal
      return { status: 200, body: { entries: instance.journal.entries(readFilter(query)), total, evicted } }
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
    getJournalHar: ({ target: { instance }, query }) => ({
      status: 200,
      body: instance.journal.toHar(readFilter(query)),
    }),
  }
}
