import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { openConnection, toHttpText } from '../support/raw-connection.js'
import { shareServer } from './share-server.js'

const { petstore, port } = await shareServer({})
const GET = ['GET /pets/1 HTTP/1.1', 'Host: localhost']
const FROM_PAGE = toHttpText([...GET, 'Sec-Fetch-Site: same-origin'])

/** Otherwise the test would depend on how soon a busy machine shows that a connection was closed. */
const HELD_MS = 1_000

/** The time that a test gives the server for what it waits for. */
const PATIENCE_MS = 10_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    // A request that is still held after a failure would keep those of the next test waiting.
    vi.advanceTimersByTime(HELD_MS)
    vi.useRealTimers()
  })
  petstore.faults.add({ status: 503, times: 1 })
})

async function send(bytes: string) {
  const connection = await openConnection(port)
  connection.send(bytes)
  return connection
}

/** Not `expect.poll`, which advances faked timers. */
async function waitUntil(isTrue: () => boolean): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  while (!isTrue()) {
    // Otherwise this would go on after the test has failed.
    if (Date.now() > end) expect.fail(`It did not happen within ${PATIENCE_MS} ms: ${isTrue}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const waitForRequests = (count: number) => waitUntil(() => petstore.journal.total === count)
const appliedTo = () => petstore.faults.list()[0]?.applied

it('does not use up a rule for a page that is gone before it could see the error', async () => {
  const gone = await send(FROM_PAGE)
  await waitForRequests(1)
  expect(appliedTo()).toBe(1)
  gone.destroy()
  await waitUntil(() => appliedTo() === 0)
  const next = await send(FROM_PAGE)
  await waitForRequests(2)
  vi.advanceTimersByTime(HELD_MS)
  expect(await next.response()).toMatchObject({ status: 503 })
  expect(petstore.faults.list()).toMatchObject([{ matched: 2, applied: 1, active: false }])
})

it('holds the next request until it knows, because that may overtake the end of the connection', async () => {
  const gone = await send(FROM_PAGE)
  await waitForRequests(1)
  const next = await send(FROM_PAGE)
  await waitForRequests(2)
  expect(appliedTo()).toBe(1)
  gone.destroy()
  await waitUntil(() => petstore.faults.list()[0]?.matched === 2)
  vi.advanceTimersByTime(HELD_MS)
  expect(await next.response()).toMatchObject({ status: 503 })
})

it('uses up the rule for a page that waits', async () => {
  const first = await send(FROM_PAGE)
  await waitForRequests(1)
  const second = await send(FROM_PAGE)
  await waitForRequests(2)
  vi.advanceTimersByTime(HELD_MS)
  expect([await first.response(), await second.response()]).toMatchObject([{ status: 503 }, { status: 200 }])
})

it('does not wait for other clients, which may end their side and read on', async () => {
  const client = await send(toHttpText(GET))
  client.end()
  expect(await client.response()).toMatchObject({ status: 503 })
  expect(petstore.faults.list()).toMatchObject([{ applied: 1, active: false }])
})

it('does not wait if the rule cannot be used up', async () => {
  petstore.faults.clear()
  petstore.faults.add({ status: 503 })
  expect(await (await send(FROM_PAGE)).response()).toMatchObject({ status: 503 })
})
