import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { runInTurn } from '../../src/lib/functions.js'
import { nextTurn, runInSlices, runNow, type Steps } from '../../src/lib/steps.js'

function* countTo(end: number, onStep = () => {}): Steps<number> {
  for (let count = 0; count < end; count++) {
    onStep()
    yield
  }
  return end
}

describe('a task in steps', () => {
  it('has the same result at once and in slices', async () => {
    expect(runNow(countTo(5))).toBe(5)
    expect(await runInSlices(countTo(5))).toBe(5)
  })

  it('pauses when a slice has taken 5 ms', async () => {
    let now = 0
    const log: (string | number)[] = []
    const steps = countTo(6, () => {
      now += 2
      log.push(now)
    })
    const pause = async () => void log.push('pause')
    await runInSlices(steps, pause, { now: () => now })
    expect(log).toEqual([2, 4, 6, 'pause', 8, 10, 12, 'pause'])
  })

  it('takes turns with other tasks: one slice in each turn of the event loop', async () => {
    let turn = 0
    const count = () => {
      turn += 1
      immediate = setImmediate(count)
    }
    let immediate = setImmediate(count)
    onTestFinished(() => clearImmediate(immediate))
    const turns = await Promise.all(Array.from({ length: 5 }, () => nextTurn().then(() => turn)))
    expect(new Set(turns).size).toBe(5)
  })

  it('waits for tasks that were started before it, even if they fail, and for other work in between', async () => {
    const log: string[] = []
    const task = (name: string) => () =>
      (function* (): Steps<string> {
        log.push(`${name} begins`)
        yield* countTo(3)
        log.push(`${name} ends`)
        if (name === 'b') throw new Error('b failed')
        return name
      })()
    const outcomes = Promise.allSettled(['a', 'b', 'c'].map((name) => runInTurn(task(name))))
    setImmediate(() => log.push('other work'))
    expect((await outcomes).map((outcome) => ('value' in outcome ? outcome.value : outcome.reason.message))).toEqual([
      'a',
      'b failed',
      'c',
    ])
    const own = log.filter((entry) => entry !== 'other work')
    expect(own).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
    expect(log.indexOf('other work')).toBeLessThan(log.indexOf('b begins'))
    expect(await runInTurn(task('d'))).toBe('d')
  })

  it('runs although a test has faked all timers', async () => {
    fakeTimers()
    expect(await runInSlices(countTo(5), nextTurn, slowTime())).toBe(5)
  })

  it('runs although all timers were faked before it was loaded', async () => {
    fakeTimers()
    vi.resetModules()
    // Other files in this process must not get the modules that were loaded with fake time.
    onTestFinished(() => void vi.resetModules())
    const loadedLate = await import('../../src/lib/steps.js')
    expect(await loadedLate.runInSlices(countTo(5), loadedLate.nextTurn, slowTime())).toBe(5)
  })

  function fakeTimers(): void {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
  }

  /** A time in which every step takes a slice. */
  function slowTime(): { now(): number } {
    let now = 0
    return {
      now() {
        now += 5
        return now
      },
    }
  }
})
