import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { expectNoContent } from '../support/admin.js'
import { forEachCase } from '../support/cases.js'
import { type Client, expectError, expectResponse, openClient, shop } from '../support/client.js'

const fixtures = shop([{ id: 1, name: 'Rex', stock: 9 }])
const NOON = '2026-05-01T12:00:00.000Z'

/** Opens a mock whose clock is frozen at noon. */
async function openAtNoon(adapter: Parameters<typeof openClient>[0], options = {}): Promise<Client> {
  const api = await openClient(adapter, { fixtures, ...options })
  await api.put('/__admin/clock', { now: NOON, frozen: true })
  return api
}

const ADVANCES: readonly (readonly [by: unknown, now: string])[] = [
  [1500, '2026-05-01T12:00:01.500Z'],
  [-60_000, '2026-05-01T11:59:00.000Z'],
  ['P1DT2H', '2026-05-02T14:00:00.000Z'],
  ['-P1M', '2026-04-01T12:00:00.000Z'],
  ['PT0.25S', '2026-05-01T12:00:00.250Z'],
]

const INVALID_ADVANCES: readonly (readonly [body: unknown, message: RegExp])[] = [
  [{ by: 1.5 }, /\/by must be/],
  ['{"by":1000000000000000000}', /\/by must be/],
  [{ by: 'tomorrow' }, /P1DT2H/],
  [{ by: null }, /\/by must be/],
  [{}, /\/by is missing/],
  [{ by: 5, to: 6 }, /\/to is unknown/],
]

const INVALID_TIMES: readonly (readonly [body: unknown, message: RegExp])[] = [
  [{ now: 'tomorrow' }, /\/now must be/],
  [{ now: '2030-02-30T00:00:00Z', frozen: false }, /\/now must be/],
  [{ now: '0000-01-01T00:00:00+01:00' }, /\/now must be/],
  [{ now: null, frozen: false }, /\/now must be/],
  [{ now: '2031-01-01T00:00:00Z', frozen: 'no' }, /\/frozen must be/],
  [{ freeze: true }, /\/freeze is unknown/],
]

describeAdapters('the clock over HTTP', (adapter) => {
  it('is the system clock until it is set', async () => {
    const api = await openClient(adapter, { fixtures })
    const { now, frozen } = (await api.get('/__admin/clock')).body as { now: string; frozen: boolean }
    expect(frozen).toBe(false)
    expect(now <= (await timeOf(api))).toBe(true)
    expect(new Date(now).toISOString()).toBe(now)
  })

  it('can be frozen and unfrozen without being set', async () => {
    const api = await openAtNoon(adapter)
    expect((await api.put('/__admin/clock', { frozen: false })).body).toMatchObject({ frozen: false })
    expect(await timeOf(api)).toMatch(/^2026-05-01T12:0/)
    const { now } = (await api.put('/__admin/clock', { frozen: true })).body as { now: string }
    expect(now).toMatch(/^2026-05-01T12:0/)
    expect([await timeOf(api), await timeOf(api)]).toEqual([now, now])
    expectResponse(await api.put('/__admin/clock', {}), 200, { now, frozen: true, sunset: 'announce' })
  })

  it('is advanced by a number of milliseconds or a duration', async () => {
    const api = await openAtNoon(adapter)
    await forEachCase(ADVANCES, async ([by, now]) => {
      await api.put('/__admin/clock', { now: NOON })
      expectResponse(await api.post('/__admin/clock/advance', { by }), 200, { now, frozen: true, sunset: 'announce' })
      expect(api.mock.petstore.clock.state()).toEqual({ now, frozen: true, sunset: 'announce' })
    })
  })

  it('is not advanced out of the supported years', async () => {
    const api = await openAtNoon(adapter)
    await forEachCase(['P9000Y', '-P3000Y', 1e15, -1e15], async (by) => {
      expectError(await api.post('/__admin/clock/advance', { by }), 422, 'INVALID_TIME', 'years 0000 to 9999')
      expect(await timeOf(api)).toBe(NOON)
    })
  })

  it('rejects advancing it with an invalid body', async () => {
    const api = await openAtNoon(adapter)
    await forEachCase(INVALID_ADVANCES, async ([body, message]) => {
      expectError(await api.post('/__admin/clock/advance', body), 400, 'INVALID_REQUEST', message)
      expect(await timeOf(api)).toBe(NOON)
    })
  })

  it('rejects setting it with an invalid body', async () => {
    const api = await openAtNoon(adapter)
    await forEachCase(INVALID_TIMES, async ([body, message]) => {
      expectError(await api.put('/__admin/clock', body), 400, 'INVALID_REQUEST', message)
      expectResponse(await api.get('/__admin/clock'), 200, { now: NOON, frozen: true, sunset: 'announce' })
    })
  })

  it('is the system clock again after a reset', async () => {
    const api = await openClient(adapter, { fixtures })
    await api.put('/__admin/clock', { now: '1999-01-01T00:00:00Z', frozen: true })
    expectNoContent(await api.post('/__admin/reset'))
    const { now, frozen } = (await api.get('/__admin/clock')).body as { now: string; frozen: boolean }
    expect(frozen).toBe(false)
    expect(now > '2020').toBe(true)
  })
})

describeAdapters("the mock's clock", (adapter) => {
  it('gives the times in the journal and of snapshots', async () => {
    const api = await openAtNoon(adapter)
    await api.get('/pets')
    await api.post('/__admin/clock/advance', { by: 'P1D' })
    await api.get('/pets')
    const { entries } = (await api.get('/__admin/journal')).body as { entries: { at: string }[] }
    expect(entries.map(({ at }) => at)).toEqual([NOON, '2026-05-02T12:00:00.000Z'])
    const { body } = await api.post('/__admin/snapshots', { name: 'a' })
    expect(body).toMatchObject({ takenAt: '2026-05-02T12:00:00.000Z' })
  })
})

async function timeOf(api: Client): Promise<string> {
  return ((await api.get('/__admin/clock')).body as { now: string }).now
}
