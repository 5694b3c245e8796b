import { useState } from 'preact/hooks'
import { Alert, Badge, Button, Link } from '../components/display.js'
import { type Action, useAction, useDashboard, useResource } from '../context.js'
import { dateAndTime } from '../format.js'
import { type Field, findCollection, linksOf, type Row, titleOf } from './collections.js'
import { useData } from './context.js'
import { RecordForm } from './form.js'

/** One record, with links to related ones. */
export function RecordView({ id }: { readonly id: string }) {
  const { api } = useDashboard()
  const { collection } = useData()
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
                  <Cell field={field} row={row} />
                </dd>
              </div>
            ))}
          </dl>
          <RecordActions row={row} deletion={deletion} />
          <Alert failure={deletion.failure} />
        </>
      )}
    </section>
  )
}

/** The value of a field: a link if it is an id. */
export function Cell({ field, row }: { readonly field: Field; readonly row: Row }) {
  const { collection, categories } = useData()
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

/** Links and buttons. The caller shows why a deletion failed. */
export function RecordActions({ row, deletion }: { readonly row: Row; readonly deletion: Action }) {
  const { api, confirm, notify } = useDashboard()
  const { collection } = useData()
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
      <Button label={`Edit ${title}`} onClick={() => setEditing(true)}>
        Edit
      </Button>
      {!collection.isFixed && (
        <Button label={`Delete ${title}`} disabled={deletion.busy} onClick={remove}>
          Delete
        </Button>
      )}
      {isEditing && <RecordForm row={row} onClose={() => setEditing(false)} />}
    </div>
  )
}
