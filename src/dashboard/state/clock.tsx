import { useEffect, useState } from 'preact/hooks'
import { monotonicTime } from '../../lib/clock.js'
import { useAction } from '../action.js'
import type { Admin } from '../api.js'
import { Alert, Badge, Button, Section } from '../components/display.js'
import { Field, Form } from '../components/form.js'
import { DATE_TIME, DURATION } from '../constraints.js'
import { useDashboard } from '../context.js'
import { dateAndTime } from '../format.js'
import { useAdmin } from '../resource.js'

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
  const { value: clock, reload } = useAdmin<Admin['ClockState']>('/clock', { topics: ['reset'], everyMs: POLL_MS })
  const { value: coverage } = useAdmin<Admin['Coverage']>('/coverage')
  const { run, failure } = useAction()
  const sunset = coverage && findSunset(coverage)
  const isPastSunset = clock !== undefined && sunset !== undefined && clock.now > sunset.after
  const set = (change: object) => api.admin('PUT', '/clock', change).then(reload)
  const advance = (by: string | undefined) => api.admin('POST', '/clock/advance', { by }).then(reload)

  return (
    <Section title="Clock">
      <p class="clock">
        <Now clock={clock} /> <span class="quiet">UTC</span>{' '}
        {clock?.frozen ? <Badge kind="accent">frozen</Badge> : <Badge>running</Badge>}
      </p>
      <div class="actions">
        <Button
          text={clock?.frozen ? 'Unfreeze' : 'Freeze'}
          kind="regular"
          disabled={clock === undefined}
          onClick={() => run(() => set({ frozen: !clock?.frozen }))}
        />
        {STEPS.map(([by, name]) => (
          <Button key={by} text={`+${name}`} label={`Advance by ${name}`} onClick={() => run(() => advance(by))} />
        ))}
      </div>
      <Alert failure={failure} />
      <Form inline submit="Advance" onSubmit={({ by }, run) => run(() => advance(by))}>
        <Field name="by" label="Advance by (ISO 8601)" required {...DURATION} />
      </Form>
      <Form inline submit="Set" onSubmit={({ now }, run) => run(() => set({ now }))}>
        <Field name="now" label="Set to" required {...DATE_TIME} />
      </Form>
      {sunset && (
        <>
          <div class="actions">
            <Button
              text="Go past the sunset date"
              kind="regular"
              disabled={isPastSunset}
              onClick={() => run(() => set({ now: sunset.after }))}
            />
          </div>
          <p class="hint">
            {isPastSunset ? 'The clock is past' : 'Sets the clock to just after'} {sunset.date}, the sunset date of{' '}
            {sunset.operations.join(', ')}. It then returns 410 if the mock was started with{' '}
            <code>--sunset enforce</code>, and keeps working otherwise.
          </p>
        </>
      )}
    </Section>
  )
}

/** The first sunset date in the OpenAPI document, its operations, and a time just after it. */
export function findSunset({ operations }: Admin['Coverage']) {
  const [date] = operations.flatMap(({ sunset }) => sunset ?? []).sort()
  if (date === undefined) return undefined
  const affected = operations.filter(({ sunset }) => sunset === date).map(({ operation }) => operation)
  return { operations: affected, date, after: `${date}T00:00:01.000Z` }
}

/** Advances on its own between two reads of the mock's clock. */
function Now({ clock }: { clock: Admin['ClockState'] | undefined }) {
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
