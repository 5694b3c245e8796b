import { useState } from 'preact/hooks'
import { type Action, useDesk } from '../context.js'
import { Confirm } from '../parts/dialog.js'
import { RecordForm } from './form.js'
import { type Kind, type Row, titleOf } from './kinds.js'

export interface RowActionsProps {
  readonly kind: Kind
  readonly row: Row
  readonly categories: ReadonlyMap<string, string>
  /** Where it is shown why the record could not be deleted. */
  readonly deletion: Action
}

/** Edit and delete, for one record. */
export function RowActions({ kind, row, categories, deletion }: RowActionsProps) {
  const { api, notify } = useDesk()
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const id = String(row[kind.key])
  const title = titleOf(kind, id)
  const close = () => setOpen(undefined)
  const remove = () =>
    deletion.run(async () => {
      await api.store('DELETE', `${kind.path}/${id}`)
      notify(`${title} was deleted.`)
    })
  return (
    <>
      <button type="button" class="button small" aria-label={`Edit ${title}`} onClick={() => setOpen('edit')}>
        Edit
      </button>
      {kind.create && (
        <button
          type="button"
          class="button small"
          aria-label={`Delete ${title}`}
          disabled={deletion.busy}
          onClick={() => setOpen('delete')}
        >
          Delete
        </button>
      )}
      {open === 'edit' && <RecordForm kind={kind} row={row} categories={categories} onClose={close} />}
      {open === 'delete' && (
        <Confirm title={`Delete ${title}?`} action="Delete" onConfirm={remove} onClose={close}>
          It is gone until the mock is reset or a snapshot is restored.
        </Confirm>
      )}
    </>
  )
}
