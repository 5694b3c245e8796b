import { defineService } from '../../src/engine/mock/define-service.js'
import { document } from './library-document.js'

/** A lending library: a second service, with one rule. */
export const library = defineService({
  document,
  errors: { BOOK_LENT: 409 },
  operations: {
    removeBook({ record, options, fail }, standard) {
      const isLent = record?.borrower !== undefined && options.rules === 'on'
      if (isLent) throw fail('BOOK_LENT', `Book ${record?.id} is lent to ${record?.borrower}.`)
      return standard()
    },
  },
  scenarios: {
    default: {
      books: [
        { id: 1, title: 'Emma', borrower: 'Ada' },
        { id: 2, title: 'Dune' },
      ],
    },
  },
})
