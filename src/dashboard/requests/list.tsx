import { useState } from 'preact/hooks'
import { Badge, Button, Link, StatusBadge } from '../components/display.js'
import { useDashboard } from '../context.js'
import { duration, timeOfDay } from '../format.js'
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
  const [limit, setLimit] = useState(PER_PAGE)
  return (
    <>
      <table class="table requests">
        <caption class="visually-hidden">Requests, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Method</th>
            <th scope="col">Path</th>
            <th scope="col">Operation</th>
            <th scope="col">Time</th>
          </tr>
        </thead>
        <tbody>
          {entries.slice(0, limit).map((entry) => (
            <Row
              key={`${entry.id} ${entry.at}`}
              entry={entry}
              isCurrent={String(entry.id) === selected}
              to={routeTo(entry.id)}
            />
          ))}
        </tbody>
      </table>
      {entries.length > limit && (
        <div class="pages">
          <Button kind="regular" onClick={() => setLimit(limit + PER_PAGE)}>
            Show older requests
          </Button>
        </div>
      )}
    </>
  )
}

interface RowProps {
  readonly entry: JournalEntry
  readonly isCurrent: boolean
  readonly to: string
}

function Row({ entry, isCurrent, to }: RowProps) {
  const { router } = useDashboard()
  const { status, method, operation, at, durationMs, fault, violations } = entry
  return (
    // For the keyboard there is the link.
    <tr data-id={entry.id} class={isCurrent ? 'current' : ''} onClick={() => router.go(to)}>
      <td>
        <StatusBadge status={status} />
      </td>
      <td class="mono">{method}</td>
      <td>
        <Link to={to} class="path" current={isCurrent}>
          {targetOf(entry)}
        </Link>
        {fault && <Badge kind="warn">fault: {fault.kind}</Badge>}
        {violations && <Badge kind="bad">contract violation</Badge>}
      </td>
      <td>{operation ?? <span class="quiet">none</span>}</td>
      <td title={at}>
        {timeOfDay(at)} <span class="quiet">{duration(durationMs)}</span>
      </td>
    </tr>
  )
}
