import { wait } from '../lib/clock.js'
import { parseJson } from '../lib/json.js'
import { type Api, type ApiFailure, toFailure } from './api.js'

/** What an event is about: its type, and `request` for a cleared journal. */
export type Topic = 'request' | 'state' | 'fault' | 'override' | 'upstream' | 'reset'

/** `missing`: the mock responds, but the sandbox does not exist. */
export type Connection = 'connecting' | 'live' | 'missing' | 'disconnected'

/** Called after an event. Without a topic, any events may have been missed. */
type Listener = (topic?: Topic) => void

/** The mock sends something at least every 15 seconds, so a longer silence means that the connection is dead. */
const SILENCE_MS = 35_000

/** A browser allows few connections to one server, so a hidden page gives up its own. */
const HIDDEN_MS = 20_000

const FIRST_RETRY_MS = 250
const MAX_RETRY_MS = 3000

export interface Events {
  on(listener: Listener): () => void
  /** Opens the stream, and reconnects when the connection is lost. Returns a function that ends this. */
  follow(): () => void
  /** Connects now instead of later. */
  retry(): void
}

/** The mock's event stream. Not an `EventSource`, which cannot send the token. */
export function createEvents(api: Api, onConnection: (connection: Connection) => void): Events {
  const listeners = new Set<Listener>()
  let stream = new AbortController()
  let endPause = new AbortController()
  let failures = 0

  function emit(topic?: Topic): void {
    for (const listener of [...listeners]) listener(topic)
  }

  async function keepConnected(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      stream = new AbortController()
      const failure = await readEvents(AbortSignal.any([stopped, stream.signal])).catch(toFailure)
      stream.abort()
      if (document.hidden) {
        onConnection('connecting')
        await untilVisible(stopped)
      } else {
        onConnection(connectionAfter(failure))
        endPause = new AbortController()
        const pauseMs = Math.min(FIRST_RETRY_MS * 2 ** failures, MAX_RETRY_MS)
        await wait(pauseMs, AbortSignal.any([stopped, endPause.signal]))
        failures += 1
      }
    }
  }

  async function readEvents(signal: AbortSignal): Promise<undefined> {
    const response = await api.events(signal)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    const read = createEventReader()
    for (let isFirst = true; ; isFirst = false) {
      const silence = setTimeout(() => stream.abort(), SILENCE_MS)
      const { value } = (await reader?.read().finally(() => clearTimeout(silence))) ?? {}
      if (value === undefined) return undefined
      if (isFirst) {
        failures = 0
        onConnection('live')
        emit()
      }
      for (const data of read(value)) emit(topicOf(data))
    }
  }

  return {
    on(listener: Listener): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    follow(): () => void {
      const stop = new AbortController()
      let hiding: ReturnType<typeof setTimeout> | undefined
      const onVisibilityChange = () => {
        clearTimeout(hiding)
        if (document.hidden) hiding = setTimeout(() => stream.abort(), HIDDEN_MS)
      }
      document.addEventListener('visibilitychange', onVisibilityChange)
      // A page may be opened in a background tab.
      onVisibilityChange()
      void keepConnected(stop.signal)
      return () => {
        clearTimeout(hiding)
        document.removeEventListener('visibilitychange', onVisibilityChange)
        stop.abort()
      }
    },
    retry: () => endPause.abort(),
  }
}

function topicOf(data: string): Topic {
  const { type } = parseJson(data) as { type: Topic | 'journal' }
  return type === 'journal' ? 'request' : type
}

/** Without a failure, the mock has ended the stream, as it does when a sandbox is deleted. */
function connectionAfter(failure: ApiFailure | undefined): Connection {
  if (failure === undefined) return 'connecting'
  return failure.code === 'SANDBOX_NOT_FOUND' ? 'missing' : 'disconnected'
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
