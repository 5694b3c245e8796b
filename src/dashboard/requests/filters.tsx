import { type Admin, READ_MARKER } from '../api.js'
import { Field, Filters, type Values } from '../components/form.js'
import { useOperations } from '../context.js'
import { targetOf } from '../snippets.js'

/** Whether a request matches the filters of the list by name. A missing one matches everything. */
export function matches(entry: Admin['JournalEntry'], { text = '', operation, status, method, own }: Values): boolean {
  const statusClass = entry.status === 0 ? 'none' : `${String(entry.status)[0]}xx`
  const isOwn = entry.request.headers[READ_MARKER.name] === READ_MARKER.value
  const searched = `${entry.method} ${targetOf(entry)} ${entry.operation ?? ''}`
  return (
    (own !== undefined || !isOwn) &&
    (!operation || entry.operation === operation) &&
    (!status || statusClass === status) &&
    (!method || entry.method === method) &&
    searched.toLowerCase().includes(text.toLowerCase())
  )
}

const STATUSES = [['', 'Any status'], '2xx', '4xx', '5xx', ['none', 'No response']] as const
const METHODS = [['', 'Any method'], 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const

export function RequestFilters({ filter, onChange }: { filter: Values; onChange: (filter: Values) => void }) {
  const { text = '', operation = '', status = '', method = '', own } = filter
  const operations = new Set([...useOperations(), ...(operation ? [operation] : [])])
  return (
    <Filters onInput={onChange}>
      <Field name="text" label="Search" type="search" value={text} placeholder="Path, query, operation" />
      <Field name="operation" label="Operation" value={operation} options={[['', 'Any operation'], ...operations]} />
      <Field name="status" label="Status" value={status} options={STATUSES} />
      <Field name="method" label="Method" value={method} options={METHODS} />
      <label class="check">
        <input type="checkbox" name="own" value="shown" checked={own !== undefined} /> Include dashboard requests
      </label>
    </Filters>
  )
}
