import type { ApiFailure } from './api.js'
import type { Problem } from './components/problems.js'

/** The field and the text for an error code of the mock. Its message is about JSON, not about a form. */
export type Rejections = Readonly<Record<string, readonly [field: string, text: string]>>

/** What only the mock knows when a form is sent. */
const REJECTIONS: Rejections = {
  UNAUTHORIZED: ['token', 'this is not the token of the mock.'],
  UNKNOWN_OPERATION: ['operation', 'choose one from the list.'],
  UNKNOWN_SCENARIO: ['scenario', 'choose one from the list.'],
}

/** What is wrong with a form by the error code alone, or undefined if the code says nothing about a field. */
export function toProblem(failure: ApiFailure, more: Rejections = {}): Problem | undefined {
  const [field, text] = more[failure.code] ?? REJECTIONS[failure.code] ?? []
  return field === undefined || text === undefined ? undefined : { field, text, failure }
}
