import { expect, onTestFinished, vi } from 'vitest'
import type { Petstore } from '../../src/index.js'
import { parseJson } from '../../src/lib/json.js'
import type { RunningMock } from './adapters.js'
import { type ApiResponse, type Client, createClient } from './client.js'

/** A client of a sandbox, which it names in the base address. */
export function sandboxByPath({ mock }: Client, name: string): Client {
  return createClient(sandboxed(mock, name, (path, init) => mock.fetch(`/sandbox/${name}${path}`, init)))
}

/** A client of a sandbox, which it names in the header. */
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
    // A sandbox has fewer members than a root instance; tests of a sandbox use only those.
    get petstore() {
      return mock.petstore.sandboxes.open(name) as Petstore
    },
    close: async () => {},
  }
}

export function expectNoContent(response: ApiResponse): void {
  expect({ status: response.status, text: response.text }).toEqual({ status: 204, text: '' })
}

/** The exported state, as the admin API writes it. */
export async function readState(api: Client): Promise<string> {
  const response = await api.get('/__admin/state')
  expect(response.status).toBe(200)
  return response.text
}

type StreamedEvent = Readonly<Record<string, unknown>>

/** An event stream of the admin API. */
export interface EventStream {
  readonly response: Response
  /** Waits for the next events, this many. */
  take(count: number): Promise<StreamedEvent[]>
  /** The remaining events until the stream ends or fails. */
  rest(): Promise<StreamedEvent[]>
  cancel(): Promise<void>
}

/** Opens the event stream until the running test ends. */
export async function followEvents(mock: RunningMock, init?: RequestInit): Promise<EventStream> {
  const response = await mock.fetch('/__admin/events', init)
  expect(response.status).toBe(200)
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  // Not awaited: with msw the promise never settles.
  onTestFinished(() => void reader.cancel().catch(() => {}))
  const decoder = new TextDecoder()
  const received: StreamedEvent[] = []
  let text = ''

  /** Returns false at the end of the stream. */
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
      while (received.length < count) if (!(await read())) expect.fail('The stream ended before its next event.')
      return received.splice(0, count)
    },
    async rest() {
      while (await read().catch(() => false));
      return received.splice(0)
    },
    cancel: () => reader.cancel(),
  }
}

/** Counts the event listeners that are added after this call and not yet removed. */
export function countListeners({ events }: Pick<Petstore, 'events'>): () => number {
  const listening = new Set<object>()
  const { subscribe } = events
  vi.spyOn(events, 'subscribe').mockImplementation((listener) => {
    const unsubscribe = subscribe(listener)
    const key = {}
    listening.add(key)
    return () => {
      listening.delete(key)
      unsubscribe()
    }
  })
  return () => listening.size
}
