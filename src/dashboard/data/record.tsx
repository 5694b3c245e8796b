import { useAction, useDesk, useResource } from '../context.js'
import { Problem } from '../parts/bits.js'
import { Link } from '../parts/link.js'
import { Cell } from './cell.js'
import { type Kind, linksOf, type Row, titleOf } from './kinds.js'
import { RowActions } from './row-actions.js'

export interface RecordViewProps {
  readonly kind: Kind
  readonly id: string
  readonly categories: ReadonlyMap<string, string>
}

/** One record, with the way to what it is related to. */
export function RecordView({ kind, id, categories }: RecordViewProps) {
  const { api } = useDesk()
  const path = `${kind.path}/${encodeURIComponent(id)}`
  const { value: row, problem } = useResource(path, async () => (await api.read(path)).body as Row, {
    topics: ['state', 'reset'],
  })
  const deletion = useAction()
  const title = titleOf(kind, id)
  return (
    <section class="card record" aria-label={title}>
      <div class="detail-head">
        <h2>{title}</h2>
        <Link to={`/data/${kind.name}`} class="button small">
          All {kind.title.toLowerCase()}
        </Link>
      </div>
      <Problem of={problem} />
      {row && problem === undefined && (
        <>
          <dl class="facts">
            {kind.fields.map((field) => (
              <div key={field.name}>
                <dt>{field.label}</dt>
                <dd>
                  <Cell kind={kind} field={field} row={row} categories={categories} />
                </dd>
              </div>
            ))}
          </dl>
          <div class="actions">
            {linksOf(kind, row).map(([to, label]) => (
              <Link key={to} to={to} class="button small">
                {label}
              </Link>
            ))}
            <RowActions kind={kind} row={row} categories={categories} deletion={deletion} />
          </div>
          <Problem of={deletion.problem} />
        </>
      )}
    </section>
  )
}
