import { useEffect, useState } from 'preact/hooks'
import { monotonicTime } from '../../lib/clock.js'
import { useAction, useDesk, useResource } from '../context.js'
import { dateAndTime } from '../format.js'
import { Badge, Problem, Section } from '../parts/bits.js'
import { Text } from '../parts/field.js'
import type { Clock, Coverage } from '../types.js'
import { readSunset, type Sunset } from './sunset.js'

const STEPS = [
  ['PT1H', '1 hour'],
  ['P1D', '1 day'],
  ['P7D', '1 week'],
  ['P1M', '1 month'],
  ['P1Y', '1 year'],
] as const

/** No event tells of a clock that somebody else sets. */
const LOOK_AGAIN_MS = 5000

/** The time that the store goes by. */
export function ClockCard() {
  const { api } = useDesk()
  const { value: clock, reload } = useResource('clock', () => api.control<Clock>('GET', '/clock'), {
    topics: ['reset'],
    everyMs: LOOK_AGAIN_MS,
  })
  const { value: coverage } = useResource('coverage', () => api.control<Coverage>('GET', '/coverage'))
  const [time, setTime] = useState('')
  const [by, setBy] = useState('')
  const action = useAction()
  const sunset = coverage && readSunset(coverage)
  const change = (method: string, path: string, body: object) =>
    action.run(async () => {
      await api.control(method, path, body)
      reload()
    })
  const problemOf = (field: string) => (action.problem?.field === field ? action.problem.message : undefined)

  return (
    <Section title="Clock">
      <p class="clock">
        <Now clock={clock} /> <span class="quiet">UTC</span>{' '}
        <Badge kind={clock?.frozen ? 'accent' : ''}>{clock?.frozen ? 'frozen' : 'running'}</Badge>
      </p>
      <div class="actions">
        <button
          type="button"
          class="button"
          disabled={clock === undefined}
          onClick={() => change('PUT', '/clock', { frozen: !clock?.frozen })}
        >
          {clock?.frozen ? 'Let it run' : 'Freeze'}
        </button>
        <fieldset class="steps">
          <legend class="out-of-sight">Advance by</legend>
          {STEPS.map(([duration, label]) => (
            <button
              key={duration}
              type="button"
              class="button small"
              aria-label={`Advance by ${label}`}
              onClick={() => change('POST', '/clock/advance', { by: duration })}
            >
              +{label}
            </button>
          ))}
        </fieldset>
      </div>
      <form
        class="row"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void change('POST', '/clock/advance', { by })
        }}
      >
        <Text
          label="Advance by (ISO 8601)"
          value={by}
          placeholder="P1DT2H or -PT30M"
          problem={problemOf('by')}
          onInput={setBy}
        />
        <button type="submit" class="button">
          Advance
        </button>
      </form>
      <form
        class="row"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void change('PUT', '/clock', { now: time })
        }}
      >
        <Text
          label="Set to"
          value={time}
          placeholder="2030-12-06T00:00:00Z"
          problem={problemOf('now')}
          onInput={setTime}
        />
        <button type="submit" class="button">
          Set
        </button>
      </form>
      {sunset && <PastSunset sunset={sunset} now={clock?.now} onGo={(now) => change('PUT', '/clock', { now })} />}
      {!['by', 'now'].includes(action.problem?.field ?? '') && <Problem of={action.problem} />}
    </Section>
  )
}

interface PastSunsetProps {
  readonly sunset: Sunset
  readonly now: string | undefined
  readonly onGo: (now: string) => void
}

function PastSunset({ sunset: { operations, day, after }, now, onGo }: PastSunsetProps) {
  const names = operations.join(', ')
  return (
    <div class="sunset">
      <button type="button" class="button" disabled={now !== undefined && now > after} onClick={() => onGo(after)}>
        Go past the sunset
      </button>
      <p class="hint">
        {now !== undefined && now > after
          ? `The clock is past ${day}, the sunset of ${names}. `
          : `Sets the clock to one second after ${day} has begun, the sunset of ${names}. `}
        It then answers 410 if the mock enforces sunsets (<code>--sunset enforce</code>); otherwise it goes on answering
        and only announces the date in its headers.
      </p>
    </div>
  )
}

/** Goes on by itself between two looks at the mock's clock. */
function Now({ clock }: { readonly clock: Clock | undefined }) {
  const [passed, setPassed] = useState(0)
  useEffect(() => {
    setPassed(0)
    if (clock === undefined || clock.frozen) return
    const readAt = monotonicTime.now()
    const timer = setInterval(() => setPassed(monotonicTime.now() - readAt), 250)
    return () => clearInterval(timer)
  }, [clock])
  if (clock === undefined) return <span class="time">…</span>
  const at = new Date(Date.parse(clock.now) + (clock.frozen ? 0 : passed)).toISOString()
  return (
    <time class="time" dateTime={at}>
      {dateAndTime(at)}
    </time>
  )
}
