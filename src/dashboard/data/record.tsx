import { useState } from 'preact/hooks'
import { Alert, Badge, Link } from '../components/display.js'
import { type Action, useAction, useDashboard, useResource } from '../context.js'
import { dateAndTime } from '../format.js'
import { type Collection, type Field, findCollection, linksOf, type Row, titleOf } from './collections.js'
import { RecordForm } from './form.js'

/** Category names by id. */
type Categories = ReadonlyMap<string, string>

export interface RecordViewProps {
  readonly collection: Collection
  readonly id: string
  readonly categories: Categories
}

/** One record, with links to related ones. */
export function RecordView({ collection, id, categories }: RecordViewProps) {
  const { api } = useDashboard()
  const path = `${collection.path}/${encodeURIComponent(id)}`
  const { value: row, failure } = useResource(path, async () => (await api.read(path)).body as Row, {
    topics: ['state', 'reset'],
  })
  const deletion = useAction()
  const title = titleOf(collection, id)
  return (
    <section class="card" aria-label={title}>
      <div class="between">
        <h2>{title}</h2>
        <Link to={`/data/${collection.name}`} class="button small">
          All {collection.title.toLowerCase()}
        </Link>
      </div>
      <Alert failure={failure} />
      {row && failure === undefined && (
        <>
          <dl class="facts">
            {collection.fields.map((field) => (
              <div key={field.name}>
                <dt>{field.label}</dt>
                <dd>
                  <Cell collection={collection} field={field} row={row} categories={categories} />
                </dd>
              </div>
            ))}
          </dl>
          <RecordActions collection={collection} row={row} categories={categories} deletion={deletion} />
          <Alert failure={deletion.failure} />
        </>
      )}
    </section>
  )
}

export interface CellProps {
  readonly collection: Collection
  readonly field: Field
  readonly row: Row
  readonly categories: Categories
}

/** The value of a field: a link if it is an id. */
export function Cell({ collection, field, row, categories }: CellProps) {
  const value = row[field.name]
  if (value === undefined) return <span class="quiet">none</span>
  const text = String(value)
  if (field.of) {
    const name = field.of === 'categories' ? categories.get(text) : undefined
    return <Link to={`/data/${field.of}/${text}`}>{name || titleOf(findCollection(field.of), text)}</Link>
  }
  if (field.name === collection.key) return <Link to={`/data/${collection.name}/${text}`}>{text}</Link>
  if (field.type === 'status') return <Badge kind={`pet-${text}`}>{text}</Badge>
  if (field.type === 'boolean') return <Badge kind={value ? '' : 'accent'}>{value ? 'complete' : 'open'}</Badge>
  if (field.type === 'date') return <time dateTime={text}>{dateAndTime(text)}</time>
  return <span class="value">{text}</span>
}

export interface RecordActionsProps {
  readonly collection: Collection
  readonly row: Row
  readonly categories: Categories
  /** Its failure is shown by the caller. */
  readonly deletion: Action
}

export function RecordActions({ collection, row, categories, deletion }: RecordActionsProps) {
  const { api, confirm, notify } = useDashboard()
  const [isEditing, setEditing] = useState(false)
  const id = String(row[collection.key])
  const title = titleOf(collection, id)

  async function remove() {
    const text = 'To get it back, reset the mock or restore a snapshot.'
    if (!(await confirm({ title: `Delete ${title}?`, text, action: 'Delete' }))) return
    await deletion.run(async () => {
      await api.send('DELETE', `${collection.path}/${id}`)
      notify(`Deleted ${title}.`)
    })
  }

  return (
    <div class="actions">
      {linksOf(collection, row).map(([to, label]) => (
        <Link key={to} to={to}>
          {label}
        </Link>
      ))}
      <button type="button" class="button small" aria-label={`Edit ${title}`} onClick={() => setEditing(true)}>
        Edit
      </button>
      {!collection.isFixed && (
        <button
          type="button"
          class="button small"
          aria-label={`Delete ${title}`}
          disabled={deletion.busy}
          onClick={remove}
        >
          Delete
        </button>
      )}
      {isEditing && (
        <RecordForm collection={collection} row={row} categories={categories} onClose={() => setEditing(false)} />
      )}
    </div>
  )
}
