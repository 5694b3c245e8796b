import { type Admin, OWN_READ } from '../api.js'
import { Field, Filters } from '../components/form.js'
import { useOperations } from '../context.js'
import { targetOf } from '../snippets.js'

const NAMES = ['text', 'operation', 'status', 'method', 'own'] as const

/** The filters of the list of requests by name. An empty one matches everything. */
export type RequestFilter = Readonly<Record<(typeof NAMES)[number], string>>

export function readFilter(query: URLSearchParams): RequestFilter {
  return Object.fromEntries(NAMES.map((name) => [name, query.get(name) ?? ''])) as RequestFilter
}

export function matches(
  entry: Admin['JournalEntry'],
  { text, operation, status, method, own }: RequestFilter,
): boolean {
  const statusClass = entry.status === 0 ? 'none' : `${String(entry.status)[0]}xx`
  const isOwn = entry.request.headers[OWN_READ[0]] === OWN_READ[1]
  const searched = `${entry.method} ${targetOf(entry)} ${entry.operation ?? ''}`
  return (
    (own !== '' || !isOwn) &&
    (operation === '' || entry.operation === operation) &&
    (status === '' || statusClass === status) &&
    (method === '' || entry.method === method) &&
    searched.toLowerCase().includes(text.toLowerCase())
  )
}

const STATUSES = [['', 'Any status'], '2xx', '4xx', '5xx', ['none', 'No response']] as const
const METHODS = [['', 'Any method'], 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const

export function RequestFilters(props: { filter: RequestFilter; onChange: (filter: RequestFilter) => void }) {
  const { filter, onChange } = props
  const { text, operation, status, method, own } = filter
  const operations = new Set([['', 'Any operation'] as const, ...useOperations(), ...(operation ? [operation] : [])])
  return (
    <Filters onInput={(values) => onChange({ ...filter, own: '', ...values })}>
      <Field name="text" label="Search" type="search" value={text} placeholder="Path, query, operation" />
      <Field name="operation" label="Operation" value={operation} options={[...operations]} />
      <Field name="status" label="Status" value={status} options={STATUSES} />
      <Field name="method" label="Method" value={method} options={METHODS} />
      <label class="check">
        <input type="checkbox" name="own" value="shown" checked={own !== ''} /> Include dashboard requests
      </label>
    </Filters>
  )
}
