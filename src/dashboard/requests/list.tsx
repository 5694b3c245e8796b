import { useState } from 'preact/hooks'
import type { Admin } from '../api.js'
import { Badge, Button, Link, StatusBadge } from '../components/display.js'
import { useDashboard } from '../context.js'
import { duration, timeOfDay } from '../format.js'
import { targetOf } from '../snippets.js'

interface RequestListProps {
  /** Newest first. */
  entries: readonly Admin['JournalEntry'][]
  selected: string | undefined
  routeTo: (id: string) => string
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
          {entries.slice(0, limit).map((entry) => {
            const id = String(entry.id)
            return <Row key={`${id} ${entry.at}`} entry={entry} isCurrent={id === selected} to={routeTo(id)} />
          })}
        </tbody>
      </table>
      {entries.length > limit && (
        <div class="pages">
          <Button text="Show older requests" kind="regular" onClick={() => setLimit(limit + PER_PAGE)} />
        </div>
      )}
    </>
  )
}

function Row({ entry, isCurrent, to }: { entry: Admin['JournalEntry']; isCurrent: boolean; to: string }) {
  const { router } = useDashboard()
  const { id, status, method, operation, at, durationMs, fault, violations } = entry
  return (
    // For the keyboard there is the link.
    <tr data-id={id} class={isCurrent ? 'current' : ''} onClick={() => router.go(to)}>
      <td>
        <StatusBadge status={status} />
      </td>
      <td class="mono">{method}</td>
      <td>
        <Link to={to} text={targetOf(entry)} class="path" isCurrent={isCurrent} />
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
