import { splitBase, toBase } from './api.js'
import { Alert, Badge, Button, Empty, Item, keepFocus, LoadState, Section } from './components/display.js'
import { Field, Form } from './components/form.js'
import { NAME } from './components/values.js'
import { type Run, useAction, useDashboard } from './context.js'
import { dateAndTime, plural } from './format.js'
import { useSandboxes } from './resource.js'

const CURRENT = <Badge kind="accent">current</Badge>

export function SandboxesPanel() {
  const { api, switchTo } = useDashboard()
  const { root, sandbox: current } = splitBase(api.base)
  const { value, failure, reload } = useSandboxes()
  const action = useAction()

  async function remove(name: string): Promise<boolean> {
    const text = 'This deletes its data, journal and snapshots. Using the name again creates a new sandbox.'
    const isDeleted = await action.run(() => api.adminAt(root)('deleteSandbox', { path: { name } }), {
      question: { title: `Delete sandbox ${name}?`, text, action: 'Delete' },
      notice: `Deleted sandbox ${name}.`,
    })
    if (isDeleted && name === current) switchTo(root)
    else if (isDeleted) await reload()
    return isDeleted
  }

  async function create(name: string, run: Run) {
    const base = toBase(root, name)
    if (await run(() => api.createSandbox(base))) switchTo(base)
  }

  return (
    <div class="columns">
      <Section title="Sandboxes">
        <Alert failure={action.failure} />
        <LoadState value={value} failure={failure} />
        <ul class="list">
          <Item title="Main" badge={current === undefined && CURRENT} facts="The mock itself">
            {current !== undefined && <Button text="Open" label="Open Main" onClick={() => switchTo(root)} />}
          </Item>
          {value?.toReversed().map(({ name, requests, lastUsedAt }) => (
            <Item
              key={name}
              title={name}
              badge={name === current && CURRENT}
              facts={`${plural(requests, 'request')}, last used ${dateAndTime(lastUsedAt)} UTC`}
            >
              {name !== current && (
                <Button text="Open" label={`Open ${name}`} onClick={() => switchTo(toBase(root, name))} />
              )}
              <Button
                text="Delete"
                label={`Delete ${name}`}
                onClick={(event) => keepFocus(event, () => remove(name))}
              />
            </Item>
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
        <Form inline submit="Open" onSubmit={({ name = '' }, run) => create(name, run)}>
          <Field name="name" label="Name" placeholder="my-tests" required {...NAME} />
        </Form>
        <p class="hint">
          Requests use it with the header <code>X-Petstore-Sandbox: my-tests</code> or the base URL{' '}
          <code>{toBase(root, 'my-tests')}</code>.
        </p>
      </Section>
    </div>
  )
}
