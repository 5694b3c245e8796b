import { useEffect, useState } from 'preact/hooks'
import { monotonicTime } from '../../lib/clock.js'
import { Alert, Badge, Button, Section } from '../components/display.js'
import { Form, TextField } from '../components/form.js'
import { DATE_TIME, DURATION } from '../constraints.js'
import { useAction, useAdmin, useDashboard } from '../context.js'
import { dateAndTime } from '../format.js'
import type { Clock, Coverage } from '../types.js'

const STEPS = [
  ['PT1H', '1 hour'],
  ['P1D', '1 day'],
  ['P7D', '1 week'],
  ['P1M', '1 month'],
  ['P1Y', '1 year'],
] as const

/** There is no event for a change of the clock. */
const POLL_MS = 5000

export function ClockCard() {
  const { api } = useDashboard()
  const { value: clock, reload } = useAdmin<Clock>('/clock', { topics: ['reset'], everyMs: POLL_MS })
  const { value: coverage } = useAdmin<Coverage>('/coverage')
  const [advancing, setting, action] = [useAction(), useAction(), useAction()]
  const sunset = coverage && findSunset(coverage)

  const set = (change: object, { run } = action) =>
    run(async () => {
      await api.admin('PUT', '/clock', change)
      reload()
    })
  const advance = (by: string | undefined, { run } = action) =>
    run(async () => {
      await api.admin('POST', '/clock/advance', { by })
      reload()
    })

  return (
    <Section title="Clock">
      <p class="clock">
        <Now clock={clock} /> <span class="quiet">UTC</span>{' '}
        <Badge kind={clock?.frozen ? 'accent' : ''}>{clock?.frozen ? 'frozen' : 'running'}</Badge>
      </p>
      <div class="actions">
        <Button kind="regular" disabled={clock === undefined} onClick={() => set({ frozen: !clock?.frozen })}>
          {clock?.frozen ? 'Unfreeze' : 'Freeze'}
        </Button>
        {STEPS.map(([duration, label]) => (
          <Button key={duration} label={`Advance by ${label}`} onClick={() => advance(duration)}>
            +{label}
          </Button>
        ))}
      </div>
      <Alert failure={action.failure} />
      <Form inline submit="Advance" action={advancing} onSubmit={({ by }) => advance(by, advancing)}>
        <TextField name="by" label="Advance by (ISO 8601)" required {...DURATION} />
      </Form>
      <Form inline submit="Set" action={setting} onSubmit={({ now }) => set({ now }, setting)}>
        <TextField name="now" label="Set to" required {...DATE_TIME} />
      </Form>
      {sunset && <SunsetStep sunset={sunset} now={clock?.now} onGo={(now) => set({ now })} />}
    </Section>
  )
}

/** The first sunset date in the OpenAPI document. */
export interface Sunset {
  readonly operations: readonly string[]
  readonly date: string
  /** A time just after it. */
  readonly after: string
}

export function findSunset({ operations }: Coverage): Sunset | undefined {
  const [date] = operations.flatMap(({ sunset }) => sunset ?? []).sort()
  if (date === undefined) return undefined
  const affected = operations.filter(({ sunset }) => sunset === date).map(({ operation }) => operation)
  return { operations: affected, date, after: `${date}T00:00:01.000Z` }
}

interface SunsetStepProps {
  readonly sunset: Sunset
  readonly now: string | undefined
  readonly onGo: (now: string) => void
}

function SunsetStep({ sunset: { operations, date, after }, now = '', onGo }: SunsetStepProps) {
  const isPast = now > after
  return (
    <>
      <div class="actions">
        <Button kind="regular" disabled={isPast} onClick={() => onGo(after)}>
          Go past the sunset date
        </Button>
      </div>
      <p class="hint">
        {isPast ? 'The clock is past' : 'Sets the clock to just after'} {date}, the sunset date of{' '}
        {operations.join(', ')}. It then returns 410 if the mock was started with <code>--sunset enforce</code>, and
        keeps working otherwise.
      </p>
    </>
  )
}

/** Advances on its own between two reads of the mock's clock. */
function Now({ clock }: { readonly clock: Clock | undefined }) {
  const [elapsed, setElapsed] = useState(0)
  useEffect(() => {
    setElapsed(0)
    if (clock === undefined || clock.frozen) return
    const readAt = monotonicTime.now()
    const timer = setInterval(() => setElapsed(monotonicTime.now() - readAt), 250)
    return () => clearInterval(timer)
  }, [clock])
  if (clock === undefined) return <>…</>
  const at = new Date(Date.parse(clock.now) + (clock.frozen ? 0 : elapsed)).toISOString()
  return <time dateTime={at}>{dateAndTime(at)}</time>
}
