import { wait } from '../lib/clock.js'
import { parseJson } from '../lib/json.js'
import { createEventReader } from './event-stream.js'
import { createObservable, type Observable } from './observable.js'

/** Whether what happens is heard of. */
export type Connection = 'connecting' | 'live' | 'cut off'

export interface FollowOptions {
  open(signal: AbortSignal): Promise<Response>
  onEvent(event: { readonly type: string } & Record<string, unknown>): void
  /** Everything before this moment may have been missed. */
  onLive(): void
}

/** The mock gives a sign of life every 15 seconds: after two that did not come the connection is dead. */
const SILENCE_MS = 35_000

/** A browser has few connections for one server: a page that nobody looks at lets go of its own. */
const UNSEEN_MS = 20_000

/** Waits a little longer each time, but never long: a person is looking. */
const DELAYS_MS = [250, 500, 1000, 2000, 3000]

/** Follows the events of the mock until it is stopped, and comes back by itself when it was cut off. */
export function followEvents({ open, onEvent, onLive }: FollowOptions): {
  connection: Observable<Connection>
  /** Lets go of the stream and opens it again. */
  reopen(): void
  stop(): void
} {
  const connection = createObservable<Connection>('connecting')
  const stopped = new AbortController()
  let attempt = new AbortController()
  let failures = 0
  let unseen = false
  let lettingGo: ReturnType<typeof setTimeout> | undefined

  const onVisibility = () => {
    clearTimeout(lettingGo)
    if (!document.hidden) return
    lettingGo = setTimeout(() => {
      unseen = true
      attempt.abort()
    }, UNSEEN_MS)
  }
  document.addEventListener('visibilitychange', onVisibility)

  async function follow(): Promise<void> {
    while (!stopped.signal.aborted) {
      attempt = new AbortController()
      stopped.signal.addEventListener('abort', () => attempt.abort(), { signal: attempt.signal })
      await readOnce(attempt).catch(() => {})
      attempt.abort()
      if (stopped.signal.aborted) return
      if (unseen) {
        connection.set('connecting')
        await seen(stopped.signal)
        unseen = false
        continue
      }
      connection.set('cut off')
      const delay = DELAYS_MS[Math.min(failures, DELAYS_MS.length - 1)] as number
      failures += 1
      await wait(delay, stopped.signal)
    }
  }

  async function readOnce(controller: AbortController): Promise<void> {
    const response = await open(controller.signal)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    if (reader === undefined) return
    const readEvents = createEventReader()
    let patience = setTimeout(() => controller.abort(), SILENCE_MS)
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return
        clearTimeout(patience)
        patience = setTimeout(() => controller.abort(), SILENCE_MS)
        if (connection.get() !== 'live') {
          failures = 0
          connection.set('live')
          onLive()
        }
        for (const { data } of readEvents(value)) onEvent(parseJson(data) as never)
      }
    } finally {
      clearTimeout(patience)
    }
  }

  void follow()
  return {
    connection,
    reopen: () => attempt.abort(),
    stop() {
      clearTimeout(lettingGo)
      document.removeEventListener('visibilitychange', onVisibility)
      stopped.abort()
    },
  }
}

/** Resolves when somebody looks at the page, or nobody waits any more. */
function seen(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden && !signal.aborted) return
      document.removeEventListener('visibilitychange', look)
      signal.removeEventListener('abort', look)
      resolve()
    }
    document.addEventListener('visibilitychange', look)
    signal.addEventListener('abort', look)
    look()
  })
}
