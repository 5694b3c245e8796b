import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { FaultRule, PetstoreOptions } from '../../src/index.js'
import { memory } from '../support/adapter-memory.js'
import type { RunningMock } from '../support/adapters.js'
import { type Client, openClient } from '../support/client.js'
import { VERY_LONG_MS } from '../support/faults.js'
import { STARTING_DATA } from '../support/operations.js'

describe('in memory, with fake timers', () => {
  it('a response arrives after its delay and not before, and the option adds to the rule', async () => {
    const { mock } = await openFaked({ delay: 300 })
    mock.petstore.faults.add({ status: 503, delayMs: 700 })
    const call = await startFaked(mock)
    await vi.advanceTimersByTimeAsync(999)
    expect(call.status).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(call.status).toBe(503)
  })

  it('a slow body is spread over its duration', async () => {
    const { mock } = await openFaked()
    mock.petstore.faults.add({ kind: 'slow', delayMs: 700 })
    const response = await mock.fetch('/pets')
    let text: string | undefined
    void response.text().then((read) => {
      text = read
    })
    await vi.advanceTimersByTimeAsync(699)
    expect(text).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(JSON.parse(text ?? '')).toHaveLength(3)
  })

  it('delays are drawn from the seed, within their range, and again after a reset', async () => {
    const [first, again, other] = [
      await openFaked(RANGE),
      await openFaked(RANGE),
      await openFaked({ ...RANGE, seed: 8 }),
    ]
    const drawn = await measure(first.mock)
    expect(new Set(drawn).size).toBeGreaterThan(10)
    for (const delay of drawn) {
      expect(delay).toBeGreaterThanOrEqual(100)
      expect(delay).toBeLessThanOrEqual(900)
    }
    expect(await measure(again.mock)).toEqual(drawn)
    expect(await measure(other.mock)).not.toEqual(drawn)
    first.mock.petstore.reset()
    expect(await measure(first.mock)).toEqual(drawn)
  })

  it.each<[FaultRule]>([[{ delayMs: VERY_LONG_MS }], [{ kind: 'timeout' }], [{ status: 503, delayMs: VERY_LONG_MS }]])(
    'a call that is aborted during %j leaves no timer',
    async (rule) => {
      const { mock } = await openFaked()
      mock.petstore.faults.add(rule)
      const aborter = new AbortController()
      const call = mock.fetch('/pets', { signal: aborter.signal }).catch((error: Error) => error.name)
      await vi.advanceTimersByTimeAsync(10)
      aborter.abort()
      expect(await call).toBe('AbortError')
      expect(vi.getTimerCount()).toBe(0)
    },
  )

  it.each(['abort', 'cancel'] as const)('a slow body leaves no timer after %s', async (way) => {
    const { mock } = await openFaked()
    mock.petstore.faults.add({ kind: 'slow', delayMs: VERY_LONG_MS })
    const aborter = new AbortController()
    const response = await mock.fetch('/pets', { signal: aborter.signal })
    const reader = response.body?.getReader()
    await reader?.read()
    const next = reader?.read().catch((error: Error) => error.name)
    await vi.advanceTimersByTimeAsync(10)
    expect(vi.getTimerCount()).toBe(1)
    if (way === 'abort') aborter.abort()
    else await reader?.cancel()
    expect(await next).toEqual(way === 'abort' ? 'AbortError' : { done: true, value: undefined })
    expect(vi.getTimerCount()).toBe(0)
  })

  const RANGE: PetstoreOptions = { delay: [100, 900], seed: 7, scenario: 'default' }

  async function openFaked(options: PetstoreOptions = {}): Promise<Client> {
    const api = await openClient(memory, { ...STARTING_DATA, ...options })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    return api
  }

  async function startFaked(mock: RunningMock): Promise<{ status: number | undefined }> {
    const call: { status: number | undefined } = { status: undefined }
    void mock.fetch('/pets').then((response) => {
      call.status = response.status
    })
    await vi.advanceTimersByTimeAsync(0)
    return call
  }

  /** The delays of twenty responses. */
  async function measure(mock: RunningMock): Promise<number[]> {
    const held: number[] = []
    for (let count = 0; count < 20; count++) {
      const sentAt = performance.now()
      const call = mock.fetch('/pets').then(() => held.push(Math.round(performance.now() - sentAt)))
      await vi.advanceTimersByTimeAsync(1000)
      await call
    }
    return held
  }
})
