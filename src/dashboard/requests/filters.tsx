import { OWN_READ } from '../api.js'
import { Filters, SelectField, TextField } from '../components/form.js'
import { useAdmin } from '../context.js'
import { statusClass } from '../format.js'
import { targetOf } from '../snippets.js'
import type { Coverage, JournalEntry } from '../types.js'

const NAMES = ['text', 'operation', 'status', 'method', 'own'] as const

/** The filters of the list of requests by name. An empty one matches everything. */
export type RequestFilter = Readonly<Record<(typeof NAMES)[number], string>>

export function readFilter(query: URLSearchParams): RequestFilter {
  return Object.fromEntries(NAMES.map((name) => [name, query.get(name) ?? ''])) as RequestFilter
}

export function matches(entry: JournalEntry, { text, operation, status, method, own }: RequestFilter): boolean {
  const isOwn = entry.request.headers[OWN_READ[0]] === OWN_READ[1]
  const searched = `${entry.method} ${targetOf(entry)} ${entry.operation ?? ''}`
  return (
    (own !== '' || !isOwn) &&
    (operation === '' || entry.operation === operation) &&
    (status === '' || statusClass(entry.status) === status) &&
    (method === '' || entry.method === method) &&
    searched.toLowerCase().includes(text.toLowerCase())
  )
}

const STATUSES = [['', 'Any status'], '2xx', '4xx', '5xx', ['none', 'No response']] as const
const METHODS = [['', 'Any method'], 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const

interface RequestFiltersProps {
  readonly filter: RequestFilter
  readonly onChange: (filter: RequestFilter) => void
}

export function RequestFilters({ filter, onChange }: RequestFiltersProps) {
  const { value: coverage } = useAdmin<Coverage>('/coverage')
  const known = coverage?.operations.map(({ operation }) => operation) ?? []
  const operations = new Set([...known, filter.operation].filter(Boolean))
  return (
    <Filters onInput={(values) => onChange({ ...filter, own: '', ...values })}>
      <TextField name="text" label="Search" type="search" value={filter.text} placeholder="Path, query, operation" />
      <SelectField
        name="operation"
        label="Operation"
        value={filter.operation}
        options={[['', 'Any operation'], ...operations]}
      />
      <SelectField name="status" label="Status" value={filter.status} options={STATUSES} />
      <SelectField name="method" label="Method" value={filter.method} options={METHODS} />
      <label class="check">
        <input type="checkbox" name="own" value="shown" checked={filter.own !== ''} /> Include dashboard requests
      </label>
    </Filters>
  )
}
