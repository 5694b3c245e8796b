import { useDesk, useResource } from '../context.js'
import { Badge, Problem } from '../parts/bits.js'
import { Link } from '../parts/link.js'
import type { Coverage, OperationCoverage } from '../types.js'

/** The document as a picture: which operations were used, and which of their answers were seen. */
export function CoveragePanel() {
  const { api } = useDesk()
  const { value, problem } = useResource('coverage', () => api.control<Coverage>('GET', '/coverage'), {
    topics: ['request', 'reset'],
  })
  return (
    <>
      <Problem of={problem} />
      {value && <Matrix coverage={value} />}
    </>
  )
}

function Matrix({ coverage: { operations, summary } }: { readonly coverage: Coverage }) {
  const columns = [...new Set(operations.flatMap(({ statuses }) => statuses.map(({ status }) => status)))].sort(
    (a, b) => a - b,
  )
  return (
    <>
      <div class="tools">
        <p class="count">
          {summary.operations.exercised} of {summary.operations.total} operations, {summary.statuses.exercised} of{' '}
          {summary.statuses.total} answers
        </p>
        <ul class="legend" aria-label="Legend">
          <li>
            <span class="cell seen" /> seen
          </li>
          <li>
            <span class="cell declared" /> declared, not seen
          </li>
          <li>
            <span class="cell other" /> seen, only <code>default</code> declares it
          </li>
        </ul>
      </div>
      <meter
        class="out-of-sight"
        aria-label="Answers seen"
        max={summary.statuses.total}
        value={summary.statuses.exercised}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="scroll card flush" tabIndex={0} aria-label="Operations and the statuses they answered">
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">Operation</th>
              {columns.map((status) => (
                <th key={status} scope="col">
                  {status}
                </th>
              ))}
              <th scope="col">Used</th>
            </tr>
          </thead>
          <tbody>
            {operations.map((operation) => (
              <OperationRow key={operation.operation} operation={operation} columns={columns} />
            ))}
          </tbody>
        </table>
      </section>
      <p class="hint">
        Counts since the mock was started; a reset does not change them. What this dashboard reads counts too.
      </p>
    </>
  )
}

function OperationRow({ operation, columns }: { readonly operation: OperationCoverage; readonly columns: number[] }) {
  const { operation: name, method, path, deprecated, stability, sunset, count, statuses } = operation
  return (
    <tr>
      <th scope="row">
        <Link to={`/requests?operation=${name}`}>{name}</Link>
        {deprecated && <Badge kind="bad">deprecated{sunset && `, sunset ${sunset}`}</Badge>}
        {stability && <Badge kind={stability === 'beta' ? '' : 'warn'}>{stability}</Badge>}
        <span class="quiet route">
          {method} {path}
        </span>
      </th>
      {columns.map((column) => (
        <StatusCell key={column} status={statuses.find(({ status }) => status === column)} />
      ))}
      <td class="number">{count}</td>
    </tr>
  )
}

function StatusCell({ status }: { readonly status: OperationCoverage['statuses'][number] | undefined }) {
  if (status === undefined) return <td />
  const { count, declared } = status
  const kind = count === 0 ? 'declared' : declared ? 'seen' : 'other'
  return (
    <td>
      <span class={`cell ${kind}`}>{count > 0 ? count : <span class="out-of-sight">not seen</span>}</span>
    </td>
  )
}
