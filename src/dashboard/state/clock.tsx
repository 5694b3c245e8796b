import { useEffect, useState } from 'preact/hooks'
import { monotonicTime } from '../../lib/clock.js'
import type { Admin, ApiFailure } from '../api.js'
import { Alert, Badge, Button, Section } from '../components/display.js'
import { Field, Form, toProblem } from '../components/form.js'
import { DURATION } from '../components/values.js'
import { useAction, useDashboard } from '../context.js'
import { dateAndTime } from '../format.js'
import { useAdmin, useClock } from '../resource.js'

const JUMPS = [
  [1, '1 hour'],
  [24, '1 day'],
  [7 * 24, '1 week'],
  [30 * 24, '30 days'],
  [365 * 24, '365 days'],
] as const

const HOUR_MS = 3_600_000

/** To the minute: the clock runs on until the button is pressed. */
function timeAfter({ now }: Admin['ClockState'], hours: number): string {
  return dateAndTime(new Date(Date.parse(now) + hours * HOUR_MS).toISOString()).slice(0, -3)
}

export function ClockCard() {
  const { api } = useDashboard()
  const { value: clock, failure: readFailure, reload } = useClock()
  const { value: coverage } = useAdmin('getCoverage')
  const { run, failure } = useAction()
  const sunset = coverage && findSunset(coverage)
  const isEnforced = clock?.sunset === 'enforce'
  const isPastSunset = clock !== undefined && sunset !== undefined && clock.now >= sunset.after
  const set = (body: object) => api.admin('setClock', { body }).then(reload)
  const advance = (by: string | undefined) => api.admin('advanceClock', { body: { by } }).then(reload)

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
      </div>
      <ul class="jumps">
        {JUMPS.map(([hours, name]) => (
          <li key={name}>
            <Button
              text={`+${name}`}
              label={`+${name}: advance the clock`}
              onClick={() => run(() => advance(`PT${hours}H`))}
            />
            {clock && <span class="quiet"> to {timeAfter(clock, hours)}</span>}
          </li>
        ))}
      </ul>
      <Alert failure={failure ?? readFailure} />
      <Form inline submit="Advance" explain={explainWith('by')} onSubmit={({ by }, run) => run(() => advance(by))}>
        <Field name="by" label="Advance by (ISO 8601)" required {...DURATION} />
      </Form>
      <Form
        inline
        submit="Set"
        explain={explainWith('date')}
        onSubmit={({ date, time }, run) => run(() => set({ now: toTime(date, time) }))}
      >
        <Field name="date" label="Set to (UTC)" type="date" required max="9999-12-31" />
        <Field name="time" label="Time (optional)" type="time" step="1" />
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
            <Button
              text={isEnforced ? 'Only announce the sunset' : 'Enforce the sunset'}
              kind="regular"
              disabled={clock === undefined}
              onClick={() => run(() => set({ sunset: isEnforced ? 'announce' : 'enforce' }))}
            />
          </div>
          <p class="hint">
            {isPastSunset ? 'The clock is past' : 'Sets the clock to just after'} {sunset.date}, the sunset date of{' '}
            {sunset.operations.join(', ')}. It then {isEnforced ? 'returns 410' : 'keeps working'}, because the sunset
            is {isEnforced ? 'enforced' : 'only announced'}.
          </p>
        </>
      )}
    </Section>
  )
}

const explainWith = (field: string) => (failure: ApiFailure) =>
  toProblem(failure, { INVALID_TIME: [field, 'the clock cannot leave the years 0000 to 9999.'] })

/** Browsers leave out seconds that are zero. Without a time, the day begins. */
function toTime(date = '', time = ''): string {
  return `${date}T${`${time || '00:00'}:00`.slice(0, 8)}Z`
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
