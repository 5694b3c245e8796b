import type { ApiFailure } from './api.js'
import type { Problem } from './components/problems.js'

/** The field and the text for an error code of the mock. Its message is about JSON, not about a form. */
export type Rejections = Readonly<Record<string, readonly [field: string, text: string]>>

/** What only the mock knows when a form is sent. */
const REJECTIONS: Rejections = {
  INSUFFICIENT_STOCK: [
    'quantity',
    'this is more than there is in stock. Order fewer, or raise the stock in Inventory.',
  ],
  INVALID_TRANSITION: [
    'status',
    'the pet cannot have this status next. It becomes pending before it is sold, and available when it is restocked in Inventory.',
  ],
  PET_NOT_AVAILABLE: ['petId', 'this pet is not available. Choose one from the list.'],
  UNAUTHORIZED: ['token', 'this is not the token of the mock.'],
  UNKNOWN_CATEGORY: ['categoryId', 'choose one from the list.'],
  UNKNOWN_OPERATION: ['operation', 'choose one from the list.'],
  UNKNOWN_PET: ['petId', 'there is no pet with this id. Choose one from the list.'],
  UNKNOWN_SCENARIO: ['scenario', 'choose one from the list.'],
}

/** What is wrong with a form by the error code alone, or undefined if the code says nothing about a field. */
export function toProblem(failure: ApiFailure, more: Rejections = {}): Problem | undefined {
  const [field, text] = more[failure.code] ?? REJECTIONS[failure.code] ?? []
  return field === undefined || text === undefined ? undefined : { field, text, failure }
}
