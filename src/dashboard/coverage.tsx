import { longDate } from '../lib/time.js'
import type { Admin } from './api.js'
import { Alert, Badge, Link, LoadState } from './components/display.js'
import { useAdmin } from './resource.js'

/** The operations and responses of the OpenAPI document, and how often each has been used. */
export function CoveragePanel() {
  const { value, failure } = useAdmin('getCoverage', { topics: ['request', 'reset'] })
  if (value === undefined) return <LoadState value={value} failure={failure} />
  const { operations, summary } = value
  const statuses = new Set(operations.flatMap(({ statuses }) => statuses.map(({ status }) => status)))
  const columns = [...statuses].sort((a, b) => a - b)
  return (
    <>
      <Alert failure={failure} />
      <div class="tools between">
        <strong>
          {summary.operations.exercised} of {summary.operations.total} operations, {summary.statuses.exercised} of{' '}
          {summary.statuses.total} responses
        </strong>
        <ul class="legend" aria-label="Legend">
          <li>
            <span class="cell covered" /> covered
          </li>
          <li>
            <span class="cell uncovered" /> not covered
          </li>
          <li>
            <span class="cell undeclared" /> declared as <code>default</code> only
          </li>
        </ul>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section class="card scroll" tabIndex={0} aria-label="Coverage by operation and status">
        <table class="matrix">
          <thead>
            <tr>
              {['Operation', ...columns, 'Requests'].map((header) => (
                <th key={header} scope="col">
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {operations.map((operation) => (
              <OperationRow key={operation.operation} operation={operation} columns={columns} />
            ))}
          </tbody>
        </table>
      </section>
      <p class="hint">Counted since the mock, or its sandbox, was created. A reset does not clear the counts.</p>
    </>
  )
}

function OperationRow({ operation, columns }: { operation: Admin['OperationCoverage']; columns: number[] }) {
  const { operation: name, method, path, deprecated, stability, sunset, stateless, count, statuses } = operation
  return (
    <tr>
      <th scope="row">
        <Link to={`/requests?operation=${name}`} text={name} />
        {deprecated && <Badge kind="bad">deprecated{sunset && `, ends ${longDate(sunset)}`}</Badge>}
        {stability && <Badge kind={stability === 'beta' ? '' : 'warn'}>{stability}</Badge>}
        {stateless && <Badge>no state</Badge>}
        <div class="quiet mono">
          {method} {path}
        </div>
      </th>
      {columns.map((column) => (
        <td key={column} data-label={column}>
          <StatusCell status={statuses.find(({ status }) => status === column)} />
        </td>
      ))}
      <td data-label="Requests">{count}</td>
    </tr>
  )
}

function StatusCell({ status }: { status: Admin['OperationCoverage']['statuses'][number] | undefined }) {
  if (status === undefined) return null
  const { count, declared } = status
  const kind = count === 0 ? 'uncovered' : declared ? 'covered' : 'undeclared'
  return <span class={`cell ${kind}`}>{count > 0 ? count : <span class="visually-hidden">not covered</span>}</span>
}
