import { useState } from 'preact/hooks'
import { useAction, useDesk, useResource } from '../context.js'
import { dateAndTime } from '../format.js'
import { Problem, Section } from '../parts/bits.js'
import { Confirm } from '../parts/dialog.js'
import { Text } from '../parts/field.js'
import type { Snapshot } from '../types.js'
import { describeSizes } from './sizes.js'

/** No event tells of a snapshot that somebody else takes. */
const LOOK_AGAIN_MS = 5000

/** Moments of the data to come back to. */
export function SnapshotsCard() {
  const { api, notify } = useDesk()
  const { value, problem, reload } = useResource('snapshots', () => api.control<Snapshot[]>('GET', '/snapshots'), {
    everyMs: LOOK_AGAIN_MS,
  })
  const [name, setName] = useState('')
  const [asking, setAsking] = useState<{ name: string; to: 'restore' | 'delete' | 'replace' }>()
  const action = useAction()

  const take = () =>
    action.run(async () => {
      await api.control('POST', '/snapshots', { name })
      notify(`Snapshot ${name} is kept.`)
      setName('')
      reload()
    })
  const carryOut = async ({ name: which, to }: { name: string; to: 'restore' | 'delete' | 'replace' }) => {
    if (to === 'replace') return take()
    return action.run(async () => {
      const path = `/snapshots/${encodeURIComponent(which)}`
      if (to === 'delete') await api.control('DELETE', path)
      else await api.control('POST', `${path}/restore`)
      notify(to === 'delete' ? `Snapshot ${which} is gone.` : `The data is as in ${which} again.`)
      reload()
    })
  }

  return (
    <Section title="Snapshots">
      <form
        class="row"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (value?.some((each) => each.name === name)) setAsking({ name, to: 'replace' })
          else void take()
        }}
      >
        <Text
          label="Name"
          value={name}
          placeholder="before-checkout"
          problem={action.problem?.field === 'name' ? action.problem.message : undefined}
          onInput={setName}
        />
        <button type="submit" class="button" disabled={action.busy}>
          Take a snapshot
        </button>
      </form>
      <Problem of={problem ?? (action.problem?.field === 'name' ? undefined : action.problem)} />
      {value?.length === 0 && <p class="quiet">None yet. A snapshot keeps the data and the ids of this moment.</p>}
      <ul class="list">
        {value?.map((snapshot) => (
          <li key={snapshot.name}>
            <div>
              <strong>{snapshot.name}</strong>
              <p class="quiet">
                {dateAndTime(snapshot.takenAt)} · {describeSizes(snapshot.sizes)}
              </p>
            </div>
            <div class="actions">
              <button
                type="button"
                class="button small"
                aria-label={`Restore ${snapshot.name}`}
                onClick={() => setAsking({ name: snapshot.name, to: 'restore' })}
              >
                Restore
              </button>
              <button
                type="button"
                class="button small"
                aria-label={`Delete ${snapshot.name}`}
                onClick={() => setAsking({ name: snapshot.name, to: 'delete' })}
              >
                Delete
              </button>
            </div>
          </li>
        ))}
      </ul>
      {asking && (
        <Confirm
          title={`${QUESTIONS[asking.to][0]} ${asking.name}?`}
          action={QUESTIONS[asking.to][0]}
          onConfirm={() => carryOut(asking)}
          onClose={() => setAsking(undefined)}
        >
          {QUESTIONS[asking.to][1]}
        </Confirm>
      )}
    </Section>
  )
}

const QUESTIONS = {
  restore: ['Restore', 'The data of now is replaced. Clock, faults and journal stay.'],
  delete: ['Delete', 'The snapshot cannot be restored any more.'],
  replace: ['Replace', 'There is a snapshot of that name. The new one takes its place.'],
} as const
