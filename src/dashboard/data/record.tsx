import { useState } from 'preact/hooks'
import { stringifyJson } from '../../lib/json.js'
import { Alert, Badge, Button, Dialog, Facts, Link, LoadState } from '../components/display.js'
import { Field, Form, toProblem, type Values } from '../components/form.js'
import { CONSTRAINTS, toText } from '../components/values.js'
import { type Action, type Run, useAction, useDashboard } from '../context.js'
import { dateAndTime } from '../format.js'
import { useResource } from '../resource.js'
import {
  type CollectionView,
  type Column,
  canBeRemoved,
  findCollection,
  formColumns,
  idOf,
  linksOf,
  type Row,
  titleOf,
  toBody,
} from './collections.js'
import { DetailsContext, keyOf, readDetails, useData, useDetails, withCurrent } from './context.js'

export function RecordView({ id }: { id: string }) {
  const { api } = useDashboard()
  const { collections, collection } = useData()
  const load = async () => {
    const row: Row = await api.admin('getRecord', { path: { collection: collection.name, recordId: id } })
    return { row, details: await readDetails(api, collections, collection, [row]) }
  }
  const { value, failure } = useResource(keyOf(collection.name, id), load, { topics: ['state', 'reset'] })
  const deletion = useAction()
  const [edited, setEdited] = useState<Row>()
  const title = titleOf(collection, id)
  return (
    <section class="card" aria-label={title}>
      <div class="between">
        <h2>{title}</h2>
        <Link to={`/data/${collection.name}`} text={`All ${collection.title.toLowerCase()}`} class="button small" />
      </div>
      <LoadState value={value} failure={failure} />
      {value && failure === undefined && (
        <DetailsContext.Provider value={value.details}>
          <Facts
            facts={collection.columns.map((column) => [
              column.label,
              <Cell key="cell" column={column} row={value.row} />,
            ])}
          />
          <RecordActions row={value.row} deletion={deletion} onEdit={setEdited} />
          <Alert failure={deletion.failure} />
        </DetailsContext.Provider>
      )}
      {edited && <RecordForm row={edited} onClose={() => setEdited(undefined)} />}
    </section>
  )
}

/** The value of a column: a link if it is an id. */
export function Cell({ column, row }: { column: Column; row: Row }) {
  const { collections, collection } = useData()
  const { names } = useDetails()
  const { type, of, options } = column
  const isKey = column === collection.columns[0]
  const value = isKey ? idOf(collection, row) : row[column.name]
  if (value === undefined || value === null) return <span class="quiet">{value === null ? 'null' : 'none'}</span>
  const text = type === 'json' ? (stringifyJson(value) ?? '') : String(value)
  const target = of === undefined ? undefined : findCollection(collections, of)
  if (target) {
    return (
      <>
        <Link to={`/data/${keyOf(target.name, text)}`} text={titleOf(target, text)} />{' '}
        <span class="quiet">{names.get(keyOf(target.name, text))}</span>
      </>
    )
  }
  if (isKey) return <Link to={`/data/${keyOf(collection.name, text)}`} text={text} />
  if (options) return <Badge kind={BADGES[options.indexOf(text)] ?? ''}>{text}</Badge>
  if (type === 'date-time') return <time dateTime={text}>{dateAndTime(text)}</time>
  return <span class="value">{text}</span>
}

/** The badges of the first values to choose from. */
const BADGES = ['accent', 'warn']

interface RecordActionsProps {
  row: Row
  deletion: Action
  onEdit: (row: Row) => void
}

/** Links and buttons. The caller shows the form, and why a deletion failed. */
export function RecordActions({ row, deletion, onEdit }: RecordActionsProps) {
  const { api } = useDashboard()
  const { collection } = useData()
  const id = idOf(collection, row)
  const title = titleOf(collection, id)
  const obstacle = useDetails().obstacles.get(id)

  const remove = () =>
    deletion.run(() => api.send('DELETE', itemPath(collection, id)), {
      question: {
        title: `Delete ${title}?`,
        text: 'To get it back, reset the mock or restore a snapshot.',
        action: 'Delete',
      },
      notice: `Deleted ${title}.`,
    })

  return (
    <div class="actions">
      {linksOf(collection, row).map(([to, label]) => (
        <Link key={to} to={to} text={label} />
      ))}
      {collection.update && <Button text="Edit" label={`Edit ${title}`} onClick={() => onEdit(row)} />}
      {collection.canDelete && (
        <Button
          text="Delete"
          label={`Delete ${title}`}
          title={obstacle}
          disabled={deletion.busy || obstacle !== undefined}
          onClick={remove}
        />
      )}
    </div>
  )
}

const itemPath = ({ path }: CollectionView, id: string) => `${path}/${encodeURIComponent(id)}`

/** Changes a record through the API, or creates one. */
export function RecordForm({ row, onClose }: { row: Row | undefined; onClose: () => void }) {
  const { api } = useDashboard()
  const { collection } = useData()
  const { path, singular, update = 'PUT', rejections } = collection
  const id = row && idOf(collection, row)
  const [title, submit, notice] =
    id === undefined
      ? [`New ${singular}`, 'Create', `Created the ${singular}.`]
      : [titleOf(collection, id), 'Save', `Changed ${titleOf(collection, id)}.`]

  async function save(values: Values, run: Run) {
    const body = toBody(collection, values, row)
    const [method, target] = id === undefined ? ['POST', path] : [update, itemPath(collection, id)]
    if (await run(() => api.send(method, target, body), { notice })) onClose()
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <Form submit={submit} explain={(failure) => toProblem(failure, rejections)} onSubmit={save} onCancel={onClose}>
        {formColumns(collection, row === undefined).map((column) => (
          <ColumnField key={column.name} column={column} row={row} />
        ))}
      </Form>
    </Dialog>
  )
}

function ColumnField({ column, row }: { column: Column; row: Row | undefined }) {
  const { collection, choices } = useData()
  const { name, label, type, options, required, of } = column
  const current = row && toText(type, row[name])
  const isKept = Boolean(current) && !canBeRemoved(collection, column)
  const { known = [], isComplete = false } = (of !== undefined && choices[of]) || {}
  const values = isComplete
    ? [['', 'Choose one'] as const, ...withCurrent(known, current)]
    : options && [...(isKept ? [] : [['', 'not set'] as const]), ...options]
  return (
    <Field
      name={name}
      label={label}
      optional={!required && !isKept}
      defaultValue={current}
      options={values}
      // The API accepts an empty text.
      required={(required || isKept) && type !== 'text'}
      {...CONSTRAINTS[type]}
      {...(type === 'json' && { rows: 4 })}
      suggestions={values || known.length === 0 ? undefined : known}
    />
  )
}
