import { useState } from 'preact/hooks'
import { Alert, Badge, Button, Facts, Link } from '../components/display.js'
import { type Action, useAction, useDashboard, useResource } from '../context.js'
import { dateAndTime } from '../format.js'
import { type Field, findCollection, idOf, type Row, titleOf, useData } from './collections.js'
import { RecordForm } from './form.js'

/** One record, with links to related ones. */
export function RecordView({ id }: { id: string }) {
  const { api } = useDashboard()
  const { collection } = useData()
  const path = `${collection.path}/${encodeURIComponent(id)}`
  const load = async () => (await api.read(path)).body as Row
  const { value: row, failure } = useResource(path, load, { topics: ['state', 'reset'] })
  const deletion = useAction()
  const title = titleOf(collection, id)
  return (
    <section class="card" aria-label={title}>
      <div class="between">
        <h2>{title}</h2>
        <Link to={`/data/${collection.name}`} text={`All ${collection.title.toLowerCase()}`} class="button small" />
      </div>
      <Alert failure={failure} />
      {row && failure === undefined && (
        <>
          <Facts facts={collection.fields.map((field) => [field.label, <Cell key="cell" field={field} row={row} />])} />
          <RecordActions row={row} deletion={deletion} />
          <Alert failure={deletion.failure} />
        </>
      )}
    </section>
  )
}

/** The value of a field: a link if it is an id. */
export function Cell({ field: { name, type, of }, row }: { field: Field; row: Row }) {
  const { collection, categories } = useData()
  const value = row[name]
  if (value === undefined) return <span class="quiet">none</span>
  const text = String(value)
  if (of) {
    const known = of === 'categories' ? categories.get(text) : undefined
    return <Link to={`/data/${of}/${text}`} text={known || titleOf(findCollection(of), text)} />
  }
  if (type === 'id') return <Link to={`/data/${collection.name}/${text}`} text={text} />
  if (type === 'status') return <Badge kind={`pet-${text}`}>{text}</Badge>
  if (type === 'boolean') return <Badge kind={value ? '' : 'accent'}>{value ? 'complete' : 'open'}</Badge>
  if (type === 'date') return <time dateTime={text}>{dateAndTime(text)}</time>
  return <span class="value">{text}</span>
}

/** Links and buttons. The caller shows why a deletion failed. */
export function RecordActions({ row, deletion }: { row: Row; deletion: Action }) {
  const { api } = useDashboard()
  const { collection } = useData()
  const [isEditing, setEditing] = useState(false)
  const id = idOf(collection, row)
  const title = titleOf(collection, id)

  const remove = () =>
    deletion.run(() => api.send('DELETE', `${collection.path}/${id}`), {
      question: {
        title: `Delete ${title}?`,
        text: 'To get it back, reset the mock or restore a snapshot.',
        action: 'Delete',
      },
      notice: `Deleted ${title}.`,
    })

  return (
    <div class="actions">
      {collection.linksOf(row).map(([to, label]) => (
        <Link key={to} to={to} text={label} />
      ))}
      <Button text="Edit" label={`Edit ${title}`} onClick={() => setEditing(true)} />
      {!collection.isFixed && (
        <Button text="Delete" label={`Delete ${title}`} disabled={deletion.busy} onClick={remove} />
      )}
      {isEditing && <RecordForm row={row} onClose={() => setEditing(false)} />}
    </div>
  )
}
