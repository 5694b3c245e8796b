import { wait } from '../lib/clock.js'
import { parseJson } from '../lib/json.js'
import { createObservable, type Observable } from './observable.js'

export type Connection = 'connecting' | 'live' | 'disconnected'

export interface EventsOptions {
  open(signal: AbortSignal): Promise<Response>
  onEvent(type: string): void
  /** Called when the stream is open. Earlier events may have been missed. */
  onLive(): void
}

export interface EventsFollower {
  readonly connection: Observable<Connection>
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
export function followEvents({ open, onEvent, onLive }: EventsOptions): EventsFollower {
  const connection = createObservable<Connection>('connecting')
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
    const response = await open(AbortSignal.any([stopped.signal, controller.signal]))
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
          onLive()
        }
        for (const data of read(value)) onEvent((parseJson(data) as { type: string }).type)
      }
    } finally {
      clearTimeout(silence)
    }
  }

  void follow()
  return {
    connection,
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
