import { useState } from 'preact/hooks'
import { type Action, type Run, useAction } from '../action.js'
import { Dialog } from '../components/dialog.js'
import { Alert, Badge, Button, Facts, Link, LoadState } from '../components/display.js'
import { type Constraints, Field } from '../components/field.js'
import { Form } from '../components/form.js'
import type { Values } from '../components/problems.js'
import { DATE_TIME, ID, INTEGER, toDateTime } from '../constraints.js'
import { useDashboard } from '../context.js'
import { dateAndTime, toNumber } from '../format.js'
import { toProblem } from '../rejections.js'
import { useResource } from '../resource.js'
import { type CollectionView, type Column, findCollection, idOf, type Row, titleOf, useData } from './collections.js'
import { DetailsContext, readDetails, useDetails } from './details.js'

export function RecordView({ id }: { id: string }) {
  const { api } = useDashboard()
  const { collection } = useData()
  const path = `/${collection.name}/${encodeURIComponent(id)}`
  const load = async () => {
    const row = (await api.readData(path)).body as Row
    return { row, details: await readDetails(api, collection, [row]) }
  }
  const { value, failure } = useResource(path, load, { topics: ['state', 'reset'] })
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
export function Cell({ column: { name, type, of }, row }: { column: Column; row: Row }) {
  const { collection, categories } = useData()
  const { petNames } = useDetails()
  const value = row[name]
  if (value === undefined) return <span class="quiet">none</span>
  const text = String(value)
  if (of === 'categories') {
    return <Link to={`/data/categories/${text}`} text={categories.get(text) || titleOf(findCollection(of), text)} />
  }
  if (of) {
    return (
      <>
        <Link to={`/data/${of}/${text}`} text={titleOf(findCollection(of), text)} />{' '}
        <span class="quiet">{petNames.get(text)}</span>
      </>
    )
  }
  if (type === 'id') return <Link to={`/data/${collection.name}/${text}`} text={text} />
  if (type === 'status') return <Badge kind={`pet-${text}`}>{text}</Badge>
  if (type === 'boolean') return <Badge kind={value ? '' : 'accent'}>{value ? 'complete' : 'open'}</Badge>
  if (type === 'date') return <time dateTime={text}>{dateAndTime(text)}</time>
  return <span class="value">{text}</span>
}

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
  const isFinal = collection.isFinal?.(row) ?? false

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
      {!isFinal && <Button text="Edit" label={`Edit ${title}`} onClick={() => onEdit(row)} />}
      {!isFinal && !collection.isFixed && (
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

const CONSTRAINTS: Partial<Record<Column['type'], Constraints>> = { id: ID, integer: INTEGER, date: DATE_TIME }

/** Changes a record through the API, or creates one. */
export function RecordForm({ row, onClose }: { row: Row | undefined; onClose: () => void }) {
  const { api } = useDashboard()
  const { collection, categories, hasAllCategories } = useData()
  const { path, singular, update } = collection
  const pets = useAvailablePets(writableColumns(collection).some(({ of }) => of === 'pets'))
  const id = row && idOf(collection, row)
  const [title, submit, notice] =
    id === undefined
      ? [`New ${singular}`, 'Create', `Created the ${singular}.`]
      : [titleOf(collection, id), 'Save', `Changed ${titleOf(collection, id)}.`]

  async function save(values: Values, run: Run) {
    const body = toBody(collection, values, row)
    const [method, target] = id === undefined ? ['POST', path] : [update, `${path}/${id}`]
    if (await run(() => api.send(method, target, body), { notice })) onClose()
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        submit={submit}
        explain={(failure) => toProblem(failure, collection.rejections)}
        onSubmit={save}
        onCancel={onClose}
      >
        {writableColumns(collection).map(({ name, label, type, options, required = false, canBeRemoved, of }) => {
          const current = row && toText(row[name])
          const isKept = Boolean(current) && !canBeRemoved
          const known = of === 'categories' ? [...categories] : of === 'pets' ? pets : undefined
          const isChoice = of === 'categories' && hasAllCategories
          const choices = isChoice
            ? [['', 'Choose one'] as const, ...withCurrent([...categories], current)]
            : options && [...(isKept ? [] : [['', 'not set'] as const]), ...options]
          return (
            <Field
              key={name}
              name={name}
              label={label}
              optional={!required && !isKept}
              defaultValue={current}
              options={choices}
              // The API accepts an empty text.
              required={(required || isKept) && type !== 'text'}
              {...CONSTRAINTS[type]}
              suggestions={choices ? undefined : known}
            />
          )
        })}
      </Form>
    </Dialog>
  )
}

/** The first 100 pets that can be ordered. */
function useAvailablePets(isNeeded: boolean): Choice[] {
  const { api } = useDashboard()
  const load = async () => (isNeeded ? (await api.readData('/pets?status=available&limit=100')).body : []) as Row[]
  const { value = [] } = useResource('available pets', load)
  return value.map(({ id, name }) => [String(id), String(name)])
}

type Choice = readonly [value: string, label: string]

/** Adds the current value to the values to choose from, if it is another one. */
export function withCurrent(options: readonly Choice[], current: string | undefined): readonly Choice[] {
  const isMissing = current !== undefined && current !== '' && !options.some(([value]) => value === current)
  return isMissing ? [[current, current], ...options] : options
}

function writableColumns({ columns }: CollectionView): Column[] {
  return columns.filter(({ readOnly }) => !readOnly)
}

function toText(value: unknown): string {
  return value === undefined ? '' : String(value)
}

/** The request body for a form. Leaves out empty values, except for required text, and what a PATCH does not change. */
export function toBody(collection: CollectionView, values: Values, row: Row | undefined): Row {
  const sent = writableColumns(collection).filter(({ name, type, required }) => {
    const value = values[name] ?? ''
    if (row !== undefined && collection.update === 'PATCH' && value === toText(row[name])) return false
    return value !== '' || (type === 'text' && required)
  })
  return Object.fromEntries(sent.map(({ name, type }) => [name, toJson(type, values[name] ?? '')]))
}

function toJson(type: Column['type'], text: string): unknown {
  if (type === 'id' || type === 'integer') return toNumber(text)
  if (type === 'date') return toDateTime(text)
  return type === 'boolean' ? text === 'true' : text
}
