import { splitBase, toBase } from './api.js'
import { Alert, Badge, Button, Empty, Section } from './components/display.js'
import { Form, TextField } from './components/form.js'
import { NAME } from './constraints.js'
import { useAction, useDashboard, useResource } from './context.js'
import { dateAndTime, plural } from './format.js'
import type { Sandbox } from './types.js'

/** There is no event for a new sandbox. */
const POLL_MS = 3000

export function SandboxesPanel() {
  const { api, confirm, notify, switchTo } = useDashboard()
  const { root, sandbox: current } = splitBase(api.base)
  const { value, failure, reload } = useResource('sandboxes', () => api.rootAdmin<Sandbox[]>('GET', '/sandboxes'), {
    everyMs: POLL_MS,
  })
  const action = useAction()

  async function remove(name: string) {
    const text = 'This deletes its data, journal and snapshots. Using the name again creates a new sandbox.'
    if (!(await confirm({ title: `Delete sandbox ${name}?`, text, action: 'Delete' }))) return
    await action.run(async () => {
      await api.rootAdmin('DELETE', `/sandboxes/${encodeURIComponent(name)}`)
      notify(`Deleted sandbox ${name}.`)
      // Staying would create it again.
      if (name === current) switchTo(root)
      else reload()
    })
  }

  return (
    <div class="columns">
      <Section title="Sandboxes">
        <Alert failure={failure ?? action.failure} />
        <ul class="list">
          <Instance
            name="Main"
            facts="The mock itself"
            isCurrent={current === undefined}
            onOpen={() => switchTo(root)}
          />
          {value?.toReversed().map(({ name, requests, lastUsedAt }) => (
            <Instance
              key={name}
              name={name}
              facts={`${plural(requests, 'request')}, last used ${dateAndTime(lastUsedAt)} UTC`}
              isCurrent={name === current}
              onOpen={() => switchTo(toBase(root, name))}
              onDelete={() => remove(name)}
            />
          ))}
        </ul>
        {value?.length === 0 && (
          <Empty title="No sandboxes yet">A sandbox is created when it is first used, here or by a request.</Empty>
        )}
      </Section>
      <Section title="Open a sandbox">
        <p>
          A sandbox has its own data, ids, faults, clock and journal, so that parallel tests can share this server.
          Opening a new name creates it.
        </p>
        <Form inline submit="Open" action={action} onSubmit={({ name }) => switchTo(toBase(root, name))}>
          <TextField name="name" label="Name" placeholder="my-tests" required {...NAME} />
        </Form>
        <p class="hint">
          Requests use it with the header <code>X-Petstore-Sandbox: my-tests</code> or the base URL{' '}
          <code>{toBase(root, 'my-tests')}</code>.
        </p>
      </Section>
    </div>
  )
}

interface InstanceProps {
  readonly name: string
  readonly facts: string
  readonly isCurrent: boolean
  readonly onOpen: () => void
  readonly onDelete?: () => void
}

function Instance({ name, facts, isCurrent, onOpen, onDelete }: InstanceProps) {
  return (
    <li>
      <div>
        <p>
          <strong>{name}</strong> {isCurrent && <Badge kind="accent">current</Badge>}
        </p>
        <p class="quiet">{facts}</p>
      </div>
      <div class="actions">
        {!isCurrent && (
          <Button label={`Open ${name}`} onClick={onOpen}>
            Open
          </Button>
        )}
        {onDelete && (
          <Button label={`Delete ${name}`} onClick={onDelete}>
            Delete
          </Button>
        )}
      </div>
    </li>
  )
}
