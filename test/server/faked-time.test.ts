import { expect, it, onTestFinished, vi } from 'vitest'
import type { RequestRecord } from '../../src/adapters/server/index.js'
import { shop } from '../support/client.js'
import { openServer } from '../support/raw-connection.js'

const fixtures = shop([{ id: 1, name: 'Rex' }])
const TEN_YEARS_MS = 10 * 365 * 86_400_000

function fakeTime(): void {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

it.each(['GET', 'HEAD'])('sends the real date in the response to %s while a test fakes the date', async (method) => {
  const server = await openServer({ fixtures })
  const now = Date.now()
  fakeTime()
  vi.setSystemTime(now + TEN_YEARS_MS)
  const { headers } = await server.fetch('/pets/1', { method })
  expect(Math.abs(Date.parse(headers.get('date') ?? '') - now)).toBeLessThan(60_000)
})

it('passes the real duration to onRequest while a test advances faked time', async () => {
  const records: RequestRecord[] = []
  const server = await openServer({ fixtures, onRequest: (record) => records.push(record) })
  fakeTime()
  server.petstore.override('getPet', async ({ next }) => {
    vi.advanceTimersByTime(TEN_YEARS_MS)
    return next()
  })
  await server.fetch('/pets/1')
  expect(records[0]?.durationMs).toBeLessThan(60_000)
})
