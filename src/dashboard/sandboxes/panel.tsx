import { useState } from 'preact/hooks'
import { useAction, useDesk, useResource } from '../context.js'
import { dateAndTime, plural } from '../format.js'
import { Badge, Empty, Problem, Section } from '../parts/bits.js'
import { Confirm } from '../parts/dialog.js'
import { Text } from '../parts/field.js'
import { baseOfSandbox, splitBase } from '../sandbox-address.js'
import type { Sandbox } from '../types.js'

/** No event tells of a sandbox that somebody makes. */
const LOOK_AGAIN_MS = 3000

const NAME = /^[A-Za-z0-9._-]{1,64}$/

/** The private copies of the mock, and the way into each. */
export function SandboxesPanel() {
  const { api, notify, switchTo } = useDesk()
  const { root, sandbox: current } = splitBase(api.base)
  const { value, problem, reload } = useResource('sandboxes', () => api.main<Sandbox[]>('GET', '/sandboxes'), {
    everyMs: LOOK_AGAIN_MS,
  })
  const [name, setName] = useState('')
  const [wrong, setWrong] = useState(false)
  const [asking, setAsking] = useState<string>()
  const action = useAction()

  const remove = (which: string) =>
    action.run(async () => {
      await api.main('DELETE', `/sandboxes/${encodeURIComponent(which)}`)
      notify(`Sandbox ${which} is gone.`)
      // Looking at it would make it anew.
      if (which === current) switchTo(root)
      else reload()
    })

  return (
    <div class="columns">
      <Section title="Sandboxes">
        <Problem of={problem ?? action.problem} />
        <ul class="list">
          <Place name={undefined} facts="The mock itself" current={current === undefined} />
          {value?.toReversed().map((each) => (
            <Place
              key={each.name}
              name={each.name}
              facts={`${plural(each.requests, 'request')}, last used ${dateAndTime(each.lastUsedAt)} UTC`}
              current={each.name === current}
              onDelete={() => setAsking(each.name)}
            />
          ))}
        </ul>
        {value?.length === 0 && (
          <Empty title="No sandboxes yet">One is made as soon as it is named, here or by a request.</Empty>
        )}
      </Section>
      <Section title="Open one by name">
        <p>
          A sandbox has data, ids, faults, clock and journal of its own, so that tests that run at the same time can
          share this server.
        </p>
        <form
          class="row"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            // These two lead elsewhere in an address.
            const usable = NAME.test(name) && name !== '.' && name !== '..'
            setWrong(!usable)
            if (usable) switchTo(baseOfSandbox(root, name))
          }}
        >
          <Text
            label="Name"
            value={name}
            placeholder="my-tests"
            hint="Made if there is none of that name."
            problem={wrong ? '1 to 64 letters, digits, ".", "_" or "-".' : undefined}
            onInput={setName}
          />
          <button type="submit" class="button primary">
            Open
          </button>
        </form>
        <p class="hint">
          Requests name it with the header <code>X-Petstore-Sandbox</code> or with the base address{' '}
          <code>{baseOfSandbox(root, name || 'my-tests')}</code>.
        </p>
      </Section>
      {asking && (
        <Confirm
          title={`Delete sandbox ${asking}?`}
          action="Delete"
          onConfirm={() => remove(asking)}
          onClose={() => setAsking(undefined)}
        >
          Its data, journal and snapshots are gone. The next use of the name makes a fresh one.
        </Confirm>
      )}
    </div>
  )
}

interface PlaceProps {
  readonly name: string | undefined
  readonly facts: string
  readonly current: boolean
  readonly onDelete?: () => void
}

function Place({ name, facts, current, onDelete }: PlaceProps) {
  const { api, switchTo } = useDesk()
  const title = name ?? 'Main'
  const open = () => switchTo(baseOfSandbox(splitBase(api.base).root, name))
  return (
    <li>
      <div>
        <p>
          <strong>{title}</strong> {current && <Badge kind="accent">shown here</Badge>}
        </p>
        <p class="quiet">{facts}</p>
      </div>
      <div class="actions">
        {!current && (
          <button type="button" class="button small" aria-label={`Open ${title}`} onClick={open}>
            Open
          </button>
        )}
        {onDelete && (
          <button type="button" class="button small" aria-label={`Delete ${title}`} onClick={onDelete}>
            Delete
          </button>
        )}
      </div>
    </li>
  )
}
