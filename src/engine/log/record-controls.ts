import { parseAnyId } from '../../lib/int64.js'
import { encodePart } from '../../lib/text.js'
import { copyData, isKind } from '../../lib/values.js'
import type { Clock } from '../control/clock.js'
import type { Fault, FaultChange } from '../rules/fault-rule.js'
import type { Faults } from '../rules/faults.js'
import type { AddedOverride } from '../rules/override.js'
import { toJsonMatch } from '../rules/request-match.js'
import { currentChanges } from '../store/atomically.js'
import type { MockEvent } from './events.js'
import type { Control } from './log.js'

type RecordControl = (control: Control) => void

/** Records what a test does between requests. `exportLater` returns a function that returns the data of this moment. */
export function createControlRecorder(record: RecordControl, exportLater: () => () => object) {
  return {
    onEvent(event: MockEvent): void {
      if (event.type === 'fault' || event.type === 'override') recordRule(event)
      else if (event.type === 'state' && (event.cause === 'import' || event.cause === 'restore')) recordState()
    },
    recordFaults: (faults: Faults): Faults => ({
      ...faults,
      // The event does not say what was changed.
      update(id, change) {
        const updated = faults.update(id, change)
        record({ method: 'PATCH', path: `/__admin/faults/${id}`, body: toJsonChange(change) })
        return updated
      },
    }),
    recordClock: (clock: Clock): Clock => recordClock(clock, record),
    recordData: <Data extends object>(data: Data): Data => recordData(data, record, recordState),
  }

  function recordState(): void {
    record({ method: 'PUT', path: '/__admin/state', body: exportLater() })
  }

  function recordRule(event: MockEvent & { type: 'fault' | 'override' }): void {
    const path = `/__admin/${event.type}s`
    if (event.change === 'cleared') {
      record({ method: 'DELETE', path })
      return
    }
    const rule = event.type === 'fault' ? event.fault : event.override
    if (event.change === 'removed') record({ method: 'DELETE', path: `${path}/${rule.id}` })
    if (event.change !== 'added') return
    const control = { method: 'POST', path, body: toGiven(rule) }
    record(event.type === 'override' && isFunction(event.override) ? { ...control, isFunction: true } : control)
  }
}

function toGiven(rule: Fault | AddedOverride): object {
  const { id, matched, applied, active, addedAt, ...given } = { matched: 0, ...rule }
  return given
}

function isFunction({ raw, sequence, ...single }: AddedOverride): boolean {
  return (sequence ?? [single]).some((item) => {
    if (item === 'pass' || item === 'function') return item === 'function'
    const mayHaveBytes = raw === true && item.body === undefined
    return item.status === undefined || mayHaveBytes
  })
}

/** A copy: the test may change its object later. */
function toJsonChange(change: FaultChange): object {
  return copyData(change?.match ? { ...change, match: toJsonMatch(change.match) } : { ...change })
}

function recordClock(clock: Clock, record: RecordControl): Clock {
  const recorded =
    <Args extends unknown[]>(act: (...args: Args) => void) =>
    (...args: Args) => {
      act(...args)
      record({ method: 'PUT', path: '/__admin/clock', body: clock.state() })
    }
  return {
    ...clock,
    set: recorded(clock.set),
    freeze: recorded(clock.freeze),
    unfreeze: recorded(clock.unfreeze),
    advance: recorded(clock.advance),
    setSunset: recorded(clock.setSunset),
    reset: recorded(clock.reset),
  }
}

/** The functions of a collection of `data` that change it. Not every collection has each. */
interface Changes {
  readonly create?: (fields?: object) => unknown
  readonly createMany?: (count: number, fields?: object | ((index: number) => object)) => unknown
  readonly update?: (id: unknown, fields: object) => unknown
  readonly delete?: (id: unknown) => unknown
}

function recordData<Data extends object>(data: Data, record: RecordControl, recordState: () => void): Data {
  const collections = Object.entries(data as Readonly<Record<string, Changes>>)
  const recorded = collections.map(([name, each]) => [
    name,
    typeof each === 'object' ? recordChanges(name, each, record, recordState) : each,
  ])
  return Object.fromEntries(recorded) as Data
}

function recordChanges(name: string, changes: Changes, record: RecordControl, recordState: () => void): Changes {
  const path = `/__admin/data/${name}`
  const pathOf = (id: unknown) => `${path}/${encodePart(String(id))}`
  const { create, createMany, update, delete: remove } = changes
  /** A call that throws is recorded as well: it may have used random values. The last of its requests is the one that fails. */
  function recorded<Result>(act: () => Result, toControls: () => Control[]): Result {
    try {
      const result = act()
      toControls().forEach(record)
      // It may be a handler's of another service, which fails later.
      currentChanges()?.onUndone(recordState)
      return result
    } catch (error) {
      const controls = toControls()
      const last = controls.pop()
      controls.forEach(record)
      if (last) record({ ...last, failed: true })
      // The call has created nothing.
      if (controls.length > 0) recordState()
      throw error
    }
  }
  return {
    ...changes,
    ...(create && {
      create: (fields) =>
        recorded(
          () => create(fields),
          () => (areFields(fields) ? [{ method: 'POST', path, body: { ...fields } }] : []),
        ),
    }),
    ...(createMany && {
      createMany(count, fields) {
        const all: unknown[] = []
        const fieldsOf = (index: number) => {
          const given = typeof fields === 'function' ? fields(index) : fields
          // Null is rejected, as this call is.
          all.push(areFields(given) ? { ...given } : null)
          return given as object
        }
        const toControls = () => cutList(all).map((body) => ({ method: 'POST', path, body }))
        return recorded(() => createMany(count, fieldsOf), toControls)
      },
    }),
    ...(update && {
      update: (id, fields) =>
        recorded(
          () => update(id, fields),
          () => (isId(id) && areFields(fields) ? [{ method: 'PATCH', path: pathOf(id), body: { ...fields } }] : []),
        ),
    }),
    ...(remove && {
      delete: (id) =>
        recorded(
          () => remove(id),
          () => (isId(id) ? [{ method: 'DELETE', path: pathOf(id) }] : []),
        ),
    }),
  }
}

/** A call with another id or other fields throws at once, and a request could not contain them. */
const isId = (id: unknown) =>
  typeof id === 'string' ? !/^\.{0,2}$|\p{Surrogate}/u.test(id) : parseAnyId(id) !== undefined
const areFields = (fields: unknown) => fields === undefined || isKind(fields, 'Object')

/** As many as the admin API creates at once. */
const MAX_RECORDS = 100

function cutList(all: readonly unknown[]): unknown[][] {
  const starts = Array.from({ length: Math.ceil(all.length / MAX_RECORDS) }, (_, index) => index * MAX_RECORDS)
  return starts.map((start) => all.slice(start, start + MAX_RECORDS))
}
