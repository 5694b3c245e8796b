import { expect, it, onTestFinished, vi } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { openClient, shop } from '../support/client.js'

const fixtures = shop([{ id: 1, name: 'Rex' }])
const YEARS_MS = 10 * 365 * 86_400_000

/** Fakes the date until the end of the test, but not the timers that requests need. */
function fakeTime(): void {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

describeAdapters('a date faked by the test runner', (adapter) => {
  it.each([YEARS_MS, -YEARS_MS])('does not expire sandboxes when it jumps by %i ms', async (jump) => {
    const api = await openClient(adapter, { fixtures, sandboxIdleMs: 60_000 })
    const { petstore } = api.mock
    petstore.sandboxes.open('kept').data.pets.create({ name: 'Kept' })
    fakeTime()
    vi.setSystemTime(Date.now() + jump)
    await api.get('/sandbox/other/pets')
    vi.setSystemTime(Date.now() - jump)
    await api.get('/sandbox/other/pets')
    expect((await api.get('/sandbox/kept/pets/2')).status).toBe(200)
    expect(petstore.sandboxes.list().map(({ name }) => name)).toEqual(['other', 'kept'])
  })

  it('does not expire sandboxes when all timers are faked', async () => {
    const { sandboxes } = (await openClient(adapter, { fixtures, sandboxIdleMs: 60_000 })).mock.petstore
    sandboxes.open('kept').data.pets.create({ name: 'Kept' })
    vi.useFakeTimers()
    vi.advanceTimersByTime(YEARS_MS)
    const found = sandboxes.open('kept').data.pets.find(2)
    vi.useRealTimers()
    expect(found).toMatchObject({ name: 'Kept' })
  })

  it('does not affect the uptime, durations or the times of a sandbox', async () => {
    const api = await openClient(adapter, { fixtures })
    const before = Date.now()
    fakeTime()
    vi.advanceTimersByTime(YEARS_MS)
    api.mock.petstore.override('getPet', async ({ next }) => {
      vi.advanceTimersByTime(YEARS_MS)
      return next()
    })
    await api.get('/sandbox/a/pets')
    await api.get('/pets/1')
    const { uptimeMs } = (await api.get('/__admin/health')).body as { uptimeMs: number }
    const [entry] = api.mock.petstore.journal.entries()
    const [sandbox] = api.mock.petstore.sandboxes.list()
    for (const duration of [uptimeMs, entry?.durationMs, Date.parse(sandbox?.createdAt ?? '') - before]) {
      expect(duration).toBeGreaterThanOrEqual(0)
      expect(duration).toBeLessThan(YEARS_MS / 2)
    }
  })

  it("is the date of the mock's clock", async () => {
    const api = await openClient(adapter, { fixtures })
    fakeTime()
    vi.setSystemTime('2030-12-06T00:00:00Z')
    expect(api.mock.petstore.clock.state()).toEqual({
      now: '2030-12-06T00:00:00.000Z',
      frozen: false,
      sunset: 'announce',
    })
  })
})
