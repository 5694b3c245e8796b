import { Alert, Button, Section } from '../components/display.js'
import { Form, TextField } from '../components/form.js'
import { NAME } from '../constraints.js'
import { type Question, useAction, useAdmin, useDashboard } from '../context.js'
import { dateAndTime, plural } from '../format.js'
import type { Sizes, Snapshot } from '../types.js'

/** There is no event for a new snapshot. */
const POLL_MS = 5000

export function SnapshotsCard() {
  const { api, confirm, notify } = useDashboard()
  const { value, failure, reload } = useAdmin<Snapshot[]>('/snapshots', { everyMs: POLL_MS })
  const taking = useAction()
  const action = useAction()

  async function take(name: string, form: HTMLFormElement) {
    const text = 'A snapshot with this name exists and will be replaced.'
    const isTaken = value?.some((snapshot) => snapshot.name === name)
    if (isTaken && !(await confirm({ title: `Replace snapshot ${name}?`, text, action: 'Replace' }))) return
    await taking.run(async () => {
      await api.admin('POST', '/snapshots', { name })
      notify(`Took snapshot ${name}.`)
      form.reset()
      reload()
    })
  }

  async function confirmAndRun(question: Question, method: string, path: string, notice: string) {
    if (!(await confirm(question))) return
    await action.run(async () => {
      await api.admin(method, path)
      notify(notice)
      reload()
    })
  }

  return (
    <Section title="Snapshots">
      <Form inline submit="Take snapshot" action={taking} onSubmit={({ name = '' }, form) => take(name, form)}>
        <TextField name="name" label="Name" placeholder="before-checkout" required {...NAME} />
      </Form>
      <Alert failure={failure ?? action.failure} />
      {value?.length === 0 && <p class="quiet">No snapshots yet. A snapshot stores the current data and ids.</p>}
      <ul class="list">
        {value?.map(({ name, takenAt, sizes }) => {
          const path = `/snapshots/${encodeURIComponent(name)}`
          const restore = {
            title: `Restore snapshot ${name}?`,
            text: 'This replaces the current data. Clock, faults and journal are kept.',
            action: 'Restore',
          }
          const remove = { title: `Delete snapshot ${name}?`, text: 'This cannot be undone.', action: 'Delete' }
          return (
            <li key={name}>
              <div>
                <strong>{name}</strong>
                <p class="quiet">
                  {dateAndTime(takenAt)} · {describeSizes(sizes)}
                </p>
              </div>
              <div class="actions">
                <Button
                  label={`Restore ${name}`}
                  onClick={() => confirmAndRun(restore, 'POST', `${path}/restore`, `Restored snapshot ${name}.`)}
                >
                  Restore
                </Button>
                <Button
                  label={`Delete ${name}`}
                  onClick={() => confirmAndRun(remove, 'DELETE', path, `Deleted snapshot ${name}.`)}
                >
                  Delete
                </Button>
              </div>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}

export function describeSizes({ categories, pets, orders }: Sizes): string {
  return `${plural(categories, 'category', 'categories')}, ${plural(pets, 'pet')}, ${plural(orders, 'order')}`
}
