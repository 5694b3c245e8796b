import { describe, expect, it, vi } from 'vitest'
import { createEvents, type MockEvent } from '../../src/engine/log/events.js'

const STATE: MockEvent = { type: 'state', cause: 'data' }
const RESET: MockEvent = { type: 'reset', seed: 1, scenario: 'default' }

/** For tests in which no listener may fail. */
const failing = (error: Error) => expect.fail(error.message)

describe('event listeners', () => {
  it('that are added while others are called receive the next event', () => {
    const events = createEvents(failing)
    const late = vi.fn()
    events.subscribe(() => events.subscribe(late))
    events.emit(STATE)
    expect(late).not.toHaveBeenCalled()
    events.emit(RESET)
    expect(late.mock.calls).toEqual([[RESET]])
  })

  it('that are removed while others are called receive nothing more', () => {
    const events = createEvents(failing)
    const second = vi.fn()
    const ends: (() => void)[] = []
    events.subscribe(() => ends[0]?.())
    ends.push(events.subscribe(second))
    events.emit(STATE)
    expect(second).not.toHaveBeenCalled()
  })
})
