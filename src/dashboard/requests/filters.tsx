import type { Admin } from '../api.js'
import { Field } from '../components/field.js'
import { Filters } from '../components/form.js'
import type { Values } from '../components/problems.js'
import { targetOf } from '../recorded.js'
import { useOperations } from '../resource.js'

/**
 * Whether a request matches the filters of the list by name. A missing one matches everything except preflight requests,
 * which browsers send on their own.
 */
export function matches(entry: Admin['JournalEntry'], { text = '', operation, status, method }: Values): boolean {
  if (!method && isPreflight(entry)) return false
  const statusClass = entry.status === 0 ? 'none' : `${String(entry.status)[0]}xx`
  const searched = `${entry.method} ${targetOf(entry)} ${entry.operation ?? ''}`
  return (
    (!operation || entry.operation === operation) &&
    (!status || statusClass === status) &&
    (!method || entry.method === method) &&
    searched.toLowerCase().includes(text.toLowerCase())
  )
}

function isPreflight({ method, request }: Admin['JournalEntry']): boolean {
  return method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
}

const STATUSES = [['', 'Any status'], '2xx', '4xx', '5xx', ['none', 'No response']] as const
const METHODS = [['', 'Any but preflights'], 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const

export function RequestFilters({ filter, onChange }: { filter: Values; onChange: (filter: Values) => void }) {
  const { text = '', operation = '', status = '', method = '' } = filter
  const names = useOperations().map((each) => each.operation)
  const operations = new Set([...names, ...(operation ? [operation] : [])])
  return (
    <Filters onInput={onChange}>
      <Field name="text" label="Search" type="search" value={text} placeholder="Path or operation" />
      <Field name="operation" label="Operation" value={operation} options={[['', 'Any operation'], ...operations]} />
      <Field name="status" label="Status" value={status} options={STATUSES} />
      <Field name="method" label="Method" value={method} options={METHODS} />
    </Filters>
  )
}
