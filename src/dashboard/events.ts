import { wait } from '../lib/clock.js'
import { parseJson } from '../lib/json.js'
import type { Api } from './api.js'
import { createObservable, type Observable } from './observable.js'

/** The types of events that the mock sends. */
export type Topic = 'request' | 'state' | 'fault' | 'reset'

export interface Events {
  readonly connection: Observable<'connecting' | 'live' | 'disconnected'>
  /** Calls the listener after every event of these types, and when some may have been missed. */
  on(topics: readonly Topic[], listener: () => void): () => void
  /** Closes the stream and opens it again. */
  reopen(): void
  stop(): void
}

/** The mock sends something at least every 15 seconds, so a longer silence means that the connection is dead. */
const SILENCE_MS = 35_000

/** A browser allows few connections to one server, so a hidden page gives up its own. */
const HIDDEN_MS = 20_000

const RETRY_DELAYS_MS = [250, 500, 1000, 2000, 3000]

/**
 * Follows the event stream until stopped, and reconnects when the connection is lost. Not an `EventSource`, which cannot
 * send the token.
 */
export function followEvents(api: Api): Events {
  const connection: Events['connection'] = createObservable('connecting')
  const subscriptions = new Set<{ topics: readonly Topic[]; listener: () => void }>()
  const stopped = new AbortController()
  let attempt = new AbortController()
  let failures = 0
  let hiding: ReturnType<typeof setTimeout> | undefined

  const onVisibilityChange = () => {
    clearTimeout(hiding)
    if (document.hidden) hiding = setTimeout(() => attempt.abort(), HIDDEN_MS)
  }
  document.addEventListener('visibilitychange', onVisibilityChange)

  async function follow(): Promise<void> {
    while (!stopped.signal.aborted) {
      attempt = new AbortController()
      await readEvents(attempt).catch(() => {})
      attempt.abort()
      if (document.hidden) {
        connection.set('connecting')
        await untilVisible(stopped.signal)
      } else {
        connection.set('disconnected')
        await wait(RETRY_DELAYS_MS[Math.min(failures, RETRY_DELAYS_MS.length - 1)] as number, stopped.signal)
        failures += 1
      }
    }
  }

  async function readEvents(controller: AbortController): Promise<void> {
    const response = await api.events(AbortSignal.any([stopped.signal, controller.signal]))
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    const read = createEventReader()
    let silence: ReturnType<typeof setTimeout> | undefined
    try {
      for (;;) {
        silence = setTimeout(() => controller.abort(), SILENCE_MS)
        const { value } = (await reader?.read()) ?? {}
        clearTimeout(silence)
        if (value === undefined) return
        if (connection.get() !== 'live') {
          failures = 0
          connection.set('live')
          for (const { listener } of [...subscriptions]) listener()
        }
        for (const data of read(value)) emit((parseJson(data) as { type: Topic }).type)
      }
    } finally {
      clearTimeout(silence)
    }
  }

  function emit(type: Topic): void {
    for (const { topics, listener } of [...subscriptions]) if (topics.includes(type)) listener()
  }

  void follow()
  return {
    connection,
    on(topics, listener) {
      const subscription = { topics, listener }
      subscriptions.add(subscription)
      return () => void subscriptions.delete(subscription)
    },
    reopen: () => attempt.abort(),
    stop() {
      clearTimeout(hiding)
      document.removeEventListener('visibilitychange', onVisibilityChange)
      stopped.abort()
    },
  }
}

function untilVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', () => resolve(), { once: true, signal })
  })
}

/** Takes an event stream piece by piece and returns the data of each event. The mock sends it on one line. */
export function createEventReader(): (piece: string) => string[] {
  let rest = ''
  return (piece) => {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() as string
    return lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice('data: '.length))
  }
}
