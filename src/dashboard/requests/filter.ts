import { OWN_READING } from '../api.js'
import { statusClass } from '../format.js'
import { targetOf } from '../snippets.js'
import type { JournalEntry } from '../types.js'

/** What the list is narrowed down to. Empty means any. */
export interface RequestFilter {
  readonly text: string
  readonly operation: string
  /** `2xx` and so on; `none` where no answer was sent. */
  readonly status: string
  readonly method: string
  /** `shown` where the reading of this dashboard's own tables is listed too. */
  readonly own: string
}

export function readFilter(query: URLSearchParams): RequestFilter {
  const get = (name: string) => query.get(name) ?? ''
  return {
    text: get('text'),
    operation: get('operation'),
    status: get('status'),
    method: get('method'),
    own: get('own'),
  }
}

function isOwnReading({ request }: JournalEntry): boolean {
  return request.headers[OWN_READING[0]] === OWN_READING[1]
}

export function matches(entry: JournalEntry, { text, operation, status, method, own }: RequestFilter): boolean {
  return (
    (own !== '' || !isOwnReading(entry)) &&
    (operation === '' || entry.operation === operation) &&
    (status === '' || statusClass(entry.status) === status) &&
    (method === '' || entry.method === method) &&
    (text === '' ||
      `${entry.method} ${targetOf(entry)} ${entry.operation ?? ''}`.toLowerCase().includes(text.toLowerCase()))
  )
}
