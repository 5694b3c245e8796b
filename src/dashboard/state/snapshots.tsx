import type { Admin } from '../api.js'
import { Alert, Button, Item, Section } from '../components/display.js'
import { Field, Form } from '../components/form.js'
import { NAME } from '../constraints.js'
import { type Run, useAction, useAdmin, useDashboard } from '../context.js'
import { dateAndTime, plural } from '../format.js'

/** There is no event for a new snapshot. */
const POLL_MS = 5000

export function SnapshotsCard() {
  const { api } = useDashboard()
  const { value, failure, reload } = useAdmin<Admin['Snapshot'][]>('/snapshots', { everyMs: POLL_MS })
  const action = useAction()

  async function take(name: string, run: Run, form: HTMLFormElement) {
    const text = 'A snapshot with this name exists and will be replaced.'
    const replace = { title: `Replace snapshot ${name}?`, text, action: 'Replace' }
    const isTaken = await run(() => api.admin('POST', '/snapshots', { name }).then(reload), {
      question: value?.some((snapshot) => snapshot.name === name) ? replace : undefined,
      notice: `Took snapshot ${name}.`,
    })
    if (isTaken) form.reset()
  }

  const restore = (name: string) =>
    action.run(() => api.admin('POST', `${pathOf(name)}/restore`), {
      question: {
        title: `Restore snapshot ${name}?`,
        text: 'This replaces the current data. Clock, faults and journal are kept.',
        action: 'Restore',
      },
      notice: `Restored snapshot ${name}.`,
    })

  const remove = (name: string) =>
    action.run(() => api.admin('DELETE', pathOf(name)).then(reload), {
      question: { title: `Delete snapshot ${name}?`, text: 'This cannot be undone.', action: 'Delete' },
      notice: `Deleted snapshot ${name}.`,
    })

  return (
    <Section title="Snapshots">
      <Form inline submit="Take snapshot" onSubmit={({ name = '' }, run, form) => take(name, run, form)}>
        <Field name="name" label="Name" placeholder="before-checkout" required {...NAME} />
      </Form>
      <Alert failure={failure ?? action.failure} />
      {value?.length === 0 && <p class="quiet">No snapshots yet. A snapshot stores the current data and ids.</p>}
      <ul class="list">
        {value?.map(({ name, takenAt, sizes }) => (
          <Item key={name} title={name} facts={`${dateAndTime(takenAt)} · ${describeSizes(sizes)}`}>
            <Button text="Restore" label={`Restore ${name}`} onClick={() => restore(name)} />
            <Button text="Delete" label={`Delete ${name}`} onClick={() => remove(name)} />
          </Item>
        ))}
      </ul>
    </Section>
  )
}

function pathOf(name: string): string {
  return `/snapshots/${encodeURIComponent(name)}`
}

export function describeSizes({ categories, pets, orders }: Admin['Sizes']): string {
  return `${plural(categories, 'category', 'categories')}, ${plural(pets, 'pet')}, ${plural(orders, 'order')}`
}
