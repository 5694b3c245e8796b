import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { shareTabs } from '../../src/adapters/browser/shared-tabs.js'
import type { Outcome, PlainRequest } from '../../src/engine/contract/messages.js'

const REQUEST: PlainRequest = { method: 'POST', path: '/pets', query: '', base: '', headers: {} }
const RESPONSE = { status: 201, headers: {} }
const options = { signal: new AbortController().signal }

let grantLock: () => unknown
let messages: Record<string, unknown>[]
/** Another tab. */
let peer: BroadcastChannel
let closes: (() => void)[]

beforeEach(() => {
  const request = (_name: string, _options: object, callback: () => unknown) => {
    grantLock = callback
    return new Promise(() => {})
  }
  vi.stubGlobal('navigator', { locks: { request } })
  messages = []
  peer = new BroadcastChannel('tabs')
  peer.onmessage = (event) => messages.push((event as MessageEvent).data)
  closes = [() => peer.close()]
})

afterEach(() => {
  vi.unstubAllGlobals()
  for (const close of closes) close()
})

const until = (type: string, count = 1) =>
  vi.waitFor(() => expect(messages.filter((message) => message.type === type)).toHaveLength(count), { timeout: 30_000 })

async function openTab(role: 'owner' | 'follower', handle = vi.fn((): Outcome => ({ response: RESPONSE, trace: {} }))) {
  const state = { exportState: () => 'mine', followState: vi.fn(), takeOver: vi.fn() }
  const opening = shareTabs({ name: 'tabs', handle, ...state })
  if (role === 'owner') grantLock()
  else peer.postMessage({ type: 'state', state: 'theirs' })
  const tab = await opening
  closes.push(tab.stop)
  return { tab, handle, ...state }
}

it('handles a request once, even if a tab sends it twice', async () => {
  const { handle } = await openTab('owner')
  for (let count = 0; count < 2; count++) peer.postMessage({ type: 'request', id: 'a', request: REQUEST })
  peer.postMessage({ type: 'request', id: 'b', request: REQUEST })
  await until('response', 2)
  expect(handle).toHaveBeenCalledTimes(2)
})

it('answers a request whose handling throws as if offline', async () => {
  await openTab(
    'owner',
    vi.fn(() => {
      throw new Error('not ready')
    }),
  )
  peer.postMessage({ type: 'request', id: 'a', request: REQUEST })
  await until('response')
  expect(messages.at(-1)).toMatchObject({ id: 'a', response: { delivery: { kind: 'reset' } } })
})

it('sends a request again to a new owner if the last one did not receive it', async () => {
  const { tab } = await openTab('follower')
  const outcome = tab.handle(REQUEST, options)
  await until('request')
  peer.postMessage({ type: 'owner' })
  await until('request', 2)
  const [first, second] = messages.filter(({ type }) => type === 'request')
  expect(second).toEqual(first)
  peer.postMessage({ type: 'response', id: first?.id, response: RESPONSE, isStream: false })
  expect((await outcome).response).toEqual(RESPONSE)
})

it('does not repeat a request that the last owner received, because it may have changed something', async () => {
  const { tab } = await openTab('follower')
  const outcome = tab.handle(REQUEST, options)
  await until('request')
  peer.postMessage({ type: 'received', id: messages.at(-1)?.id })
  peer.postMessage({ type: 'owner' })
  expect((await outcome).response.delivery).toEqual({ kind: 'reset' })
})

it('takes over the last state, and handles the requests that nobody received', async () => {
  const { tab, handle, takeOver } = await openTab('follower')
  const outcome = tab.handle(REQUEST, options)
  expect(handle).not.toHaveBeenCalled()
  grantLock()
  expect((await outcome).response).toEqual(RESPONSE)
  expect(takeOver.mock.calls).toEqual([['theirs']])
  await until('state')
})

it('ends the streams that it reads when it leaves, here and at the owner', async () => {
  const { tab } = await openTab('follower')
  const outcome = tab.handle(REQUEST, options)
  await until('request')
  const id = messages.at(-1)?.id
  peer.postMessage({ type: 'response', id, response: RESPONSE, isStream: true })
  const end = vi.fn(() => stop?.())
  const stop = (await outcome).response.stream?.(() => {}, end)
  tab.leave()
  await until('abort')
  expect(messages.at(-1)).toMatchObject({ id })
  expect(end).toHaveBeenCalledOnce()
})

it('reports to the tab that sent a request how the owner misused the mock', async () => {
  const misuse = new Error('The override of getPet is invalid.')
  await openTab(
    'owner',
    vi.fn(() => ({ response: RESPONSE, trace: { misuse } })),
  )
  peer.postMessage({ type: 'request', id: 'a', request: REQUEST })
  await until('response')
  expect(messages.at(-1)).toMatchObject({ misuse: misuse.message })
})

it('takes over a state of the owner before that arrives late', async () => {
  const { followState, takeOver } = await openTab('follower')
  grantLock()
  for (const state of ['late', 'last']) peer.postMessage({ type: 'state', state })
  await vi.waitFor(() => expect(takeOver.mock.calls).toEqual([['theirs'], ['late'], ['last']]), { timeout: 30_000 })
  expect(followState.mock.calls).toEqual([['theirs'], ['late'], ['last']])
})

it.each(['request', 'change'])('ignores a state of the owner before that arrives after a %s', async (cause) => {
  const { tab, followState, takeOver } = await openTab('follower')
  grantLock()
  if (cause === 'request') tab.handle(REQUEST, options)
  else tab.sendState()
  const sent = cause === 'request' ? 1 : 2
  await until('state', sent)
  peer.postMessage({ type: 'state', state: 'late' })
  // The tab answers after it has received the state.
  peer.postMessage({ type: 'join' })
  await until('state', sent + 1)
  expect([followState.mock.calls, takeOver.mock.calls]).toEqual([[['theirs']], [['theirs']]])
})
