import { storeContract } from '../../petstore/contract.js'
import { ApiError, quote } from '../contract/errors.js'
import type { QueryOf } from '../contract/types.js'
import type { JournalFilter } from '../control/journal.js'
import { type AdminHandlers, DONE } from './handler.js'

export const journalHandlers: AdminHandlers<'getJournal' | 'clearJournal' | 'getJournalEntry' | 'getJournalHar'> = {
  getJournal({ mock: { journal }, query }) {
    const { total, evicted } = journal
    return { status: 200, body: { entries: journal.entries(readFilter(query)) as never, total, evicted } }
  },
  clearJournal({ mock }) {
    mock.journal.clear()
    return DONE
  },
  getJournalEntry({ mock, path: { id } }) {
    const entry = mock.journal.find(id)
    if (entry) return { status: 200, body: entry as never }
    throw new ApiError('ENTRY_NOT_FOUND', `the journal has no entry ${id}: it was never made, or is no longer kept`)
  },
  getJournalHar: ({ mock, query }) => ({ status: 200, body: mock.journal.toHar(readFilter(query)) as never }),
}

/** A filter that can match nothing must be loud. */
function readFilter(query: QueryOf<'getJournal'>): JournalFilter {
  const { operation } = query
  if (operation !== undefined && storeContract().operationById(operation) === undefined) {
    throw new ApiError('INVALID_REQUEST', `query parameter operation names ${quote(operation)}, which there is not`)
  }
  return query as JournalFilter
}
