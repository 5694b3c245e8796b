import { quote } from '../../lib/quote.js'
import type { Contract } from '../contract/contract.js'
import { apiError } from '../contract/errors.js'
import type { JournalFilter } from '../control/journal.js'
import { type AdminHandlers, NO_CONTENT } from './handler.js'

type JournalOperation = 'getJournal' | 'clearJournal' | 'getJournalEntry' | 'getJournalHar'

/** `contract` is that of the service, whose operations a filter can name. */
export function createJournalHandlers(contract: Contract): AdminHandlers<JournalOperation> {
  /** A filter that can match nothing must not go unnoticed. */
  function readFilter(query: object): JournalFilter {
    const { operation } = query as JournalFilter
    if (operation !== undefined && contract.operationById(operation) === undefined) {
      throw apiError('INVALID_REQUEST', `query parameter operation names ${quote(operation)}, which there is not`)
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
      throw apiError('ENTRY_NOT_FOUND', `the journal has no entry ${id}: it was never made, or is no longer kept`)
    },
    getJournalHar: ({ target: { instance }, query }) => ({
      status: 200,
      body: instance.journal.toHar(readFilter(query)),
    }),
  }
}
