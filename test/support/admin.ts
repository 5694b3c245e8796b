import { expect, onTestFinished, vi } from 'vitest'
import type { Petstore } from '../../src/index.js'
import { parseJson } from '../../src/lib/json.js'
import type { RunningMock } from './adapters.js'
import { type ApiResponse, type Client, createClient } from './client.js'

/** A client whose every request is for a sandbox, which the base address names. */
export function sandboxByPath({ mock }: Client, name: string): Client {
  return createClient(sandboxed(mock, name, (path, init) => mock.fetch(`/sandbox/${name}${path}`, init)))
}

/** A client whose every request is for a sandbox, which the header names. */
export function sandboxByHeader({ mock }: Client, name: string): Client {
  return createClient(
    sandboxed(mock, name, (path, init = {}) => {
      const headers = new Headers(init.headers)
      headers.set('X-Petstore-Sandbox', name)
      return mock.fetch(path, { ...init, headers })
    }),
  )
}

function sandboxed(mock: RunningMock, name: string, fetch: RunningMock['fetch']): RunningMock {
  return {
    fetch,
    // Tests of a sandbox use nothing that only the pet store as a whole has.
    get petstore() {
      return mock.petstore.sandboxes.get(name) as Petstore
    },
    close: async () => {},
  }
}

/** Done, and nothing to tell. */
export function expectNoContent(response: ApiResponse): void {
  expect({ status: response.status, text: response.text }).toEqual({ status: 204, text: '' })
}

/** Everything the store holds, as the control plane writes it. */
export async function readState(api: Client): Promise<string> {
  const response = await api.get('/__admin/state')
  expect(response.status).toBe(200)
  return response.text
}

export type StreamedEvent = Readonly<Record<string, unknown>>

/** An event stream, read one by one. */
export interface EventStream {
  readonly response: Response
  /** The next so many. */
  take(count: number): Promise<StreamedEvent[]>
  /** Everything that comes before the stream ends or breaks. */
  rest(): Promise<StreamedEvent[]>
  cancel(): Promise<void>
}

/** Follows the events of a pet store until the running test ends. */
export async function followEvents(mock: RunningMock, init?: RequestInit): Promise<EventStream> {
  const response = await mock.fetch('/__admin/events', init)
  expect(response.status).toBe(200)
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  // Not waited for: msw never says that it is done.
  onTestFinished(() => void reader.cancel().catch(() => {}))
  const decoder = new TextDecoder()
  const received: StreamedEvent[] = []
  let text = ''

  /** Whether there was something. */
  async function read(): Promise<boolean> {
    const { done, value } = await reader.read()
    if (done) return false
    const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, type, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
      if (type === undefined || data === undefined) continue
      const event = parseJson(data) as StreamedEvent
      expect(event.type).toBe(type)
      received.push(event)
    }
    return true
  }

  return {
    response,
    async take(count) {
      while (received.length < count) if (!(await read())) expect.fail('the stream ended before its next event')
      return received.splice(0, count)
    },
    async rest() {
      while (await read().catch(() => false));
      return received.splice(0)
    },
    cancel: () => reader.cancel(),
  }
}

/** How many listen to a pet store, of those who begin to from now on. */
export function countListeners({ events }: Pick<Petstore, 'events'>): () => number {
  const listening = new Set<object>()
  const { subscribe } = events
  vi.spyOn(events, 'subscribe').mockImplementation((listener) => {
    const end = subscribe(listener)
    const one = {}
    listening.add(one)
    return () => {
      listening.delete(one)
      end()
    }
  })
  return () => listening.size
}
