import { useState } from 'preact/hooks'
import { useDesk } from '../context.js'
import { duration, timeOfDay } from '../format.js'
import { Badge, StatusBadge } from '../parts/bits.js'
import { Link } from '../parts/link.js'
import { targetOf } from '../snippets.js'
import type { JournalEntry } from '../types.js'

export interface RequestListProps {
  /** Newest first. */
  readonly entries: readonly JournalEntry[]
  readonly selected: string | undefined
  readonly routeTo: (id: number) => string
}

const PER_PAGE = 100

export function RequestList({ entries, selected, routeTo }: RequestListProps) {
  const [most, setMost] = useState(PER_PAGE)
  return (
    <>
      <table class="table requests">
        <caption class="out-of-sight">Requests, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Method</th>
            <th scope="col">Path</th>
            <th scope="col">Operation</th>
            <th scope="col" class="number">
              Time
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.slice(0, most).map((entry) => (
            <Row
              key={`${entry.id} ${entry.at}`}
              entry={entry}
              current={String(entry.id) === selected}
              to={routeTo(entry.id)}
            />
          ))}
        </tbody>
      </table>
      {entries.length > most && (
        <button type="button" class="button more" onClick={() => setMost(most + PER_PAGE)}>
          Show older requests
        </button>
      )}
    </>
  )
}

interface RowProps {
  readonly entry: JournalEntry
  readonly current: boolean
  readonly to: string
}

function Row({ entry, current, to }: RowProps) {
  const { router } = useDesk()
  const { status, method, operation, at, durationMs, fault, violations } = entry
  return (
    // A keyboard reaches the link in it.
    <tr data-id={entry.id} class={current ? 'current' : ''} onClick={() => router.go(to)}>
      <td class="c-status">
        <StatusBadge status={status} />
      </td>
      <td class="c-method">
        <span class="method">{method}</span>
      </td>
      <td class="c-path">
        <Link to={to} class="path" current={current}>
          {targetOf(entry)}
        </Link>
        {fault && <Badge kind="warn">fault: {fault.kind}</Badge>}
        {violations && <Badge kind="bad">breaks the contract</Badge>}
      </td>
      <td class="c-operation">{operation ?? <span class="quiet">none</span>}</td>
      <td class="c-time number" title={at}>
        {timeOfDay(at)} <span class="quiet">{duration(durationMs)}</span>
      </td>
    </tr>
  )
}
