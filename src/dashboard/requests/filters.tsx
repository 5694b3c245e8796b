import { OWN_READ } from '../api.js'
import { SelectField, TextField } from '../components/form.js'
import { useDashboard, useResource } from '../context.js'
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
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

interface FiltersProps {
  readonly filter: RequestFilter
  readonly onChange: (changes: Partial<RequestFilter>) => void
}

export function Filters({ filter, onChange }: FiltersProps) {
  const { api } = useDashboard()
  const { value: coverage } = useResource('operations', () => api.admin<Coverage>('GET', '/coverage'))
  const known = coverage?.operations.map(({ operation }) => operation) ?? []
  const operations = new Set([...known, filter.operation].filter(Boolean))
  return (
    <search class="filters of-requests">
      <TextField
        label="Search"
        type="search"
        value={filter.text}
        placeholder="Path, query, operation"
        onInput={(text) => onChange({ text })}
      />
      <SelectField
        label="Operation"
        value={filter.operation}
        options={[['', 'Any operation'], ...operations]}
        onChange={(operation) => onChange({ operation })}
      />
      <SelectField
        label="Status"
        value={filter.status}
        options={STATUSES}
        onChange={(status) => onChange({ status })}
      />
      <SelectField
        label="Method"
        value={filter.method}
        options={[['', 'Any method'], ...METHODS]}
        onChange={(method) => onChange({ method })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={filter.own !== ''}
          onChange={(event) => onChange({ own: event.currentTarget.checked ? 'shown' : '' })}
        />
        Include this dashboard's own requests
      </label>
    </search>
  )
}
