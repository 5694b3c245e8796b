import type { HandleOptions, Outcome, PlainRequest, PlainResponse } from '../../engine/contract/messages.js'
import { RecentMap } from '../../lib/recent-map.js'

/** What tabs tell each other. Only the owner sends responses and states. */
type Message =
  | { readonly type: 'join' }
  /** A tab has become the owner. */
  | { readonly type: 'owner' }
  | { readonly type: 'state'; readonly state: string }
  | { readonly type: 'request'; readonly id: string; readonly request: PlainRequest }
  /** The owner handles the request: it must not be sent again. */
  | { readonly type: 'received'; readonly id: string }
  | {
      readonly type: 'response'
      readonly id: string
      readonly response: PlainResponse
      readonly isStream: boolean
      /** How the owner's page misused the mock. */
      readonly misuse?: string | undefined
    }
  | { readonly type: 'part'; readonly id: string; readonly text: string }
  | { readonly type: 'end'; readonly id: string }
  | { readonly type: 'abort'; readonly id: string }

type MessageOf<Type extends Message['type']> = Extract<Message, { type: Type }>

interface Dependencies {
  /** Tabs with the same name share one mock. */
  readonly name: string
  /** Handles a request in this tab. */
  handle(request: PlainRequest, options?: HandleOptions): Outcome | Promise<Outcome>
  exportState(): string
  /** Called in the other tabs after every change. */
  followState(state: string): void
  /** Called when this tab becomes the owner, with the last state of the owner before. */
  takeOver(state: string): void
}

interface Pending {
  readonly request: PlainRequest
  isReceived: boolean
  resolve(outcome: Outcome | PromiseLike<Outcome>): void
}

interface Stream {
  write(text: string): void
  end(): void
}

/** More than a page sends while the owner changes. */
const MAX_RECEIVED = 1000

/** As if a server had been stopped. */
const RESET: Outcome = { response: { status: 0, headers: {}, delivery: { kind: 'reset' } }, trace: {} }

/**
 * One tab, the owner, handles the requests of all tabs. It holds a lock, for which the others wait: when it is closed, the
 * next one becomes the owner. Resolves when this tab is the owner or has the owner's state.
 */
export async function shareTabs({ name, handle: handleHere, exportState, followState, takeOver }: Dependencies) {
  const channel = new BroadcastChannel(name)
  const closed = new AbortController()
  const pending = new Map<string, Pending>()
  const streams = new Map<string, Stream>()
  /** The requests of other tabs that this one handles. */
  const handled = new Map<string, AbortController>()
  /** A tab sends a request again to a new owner, which may have received it already. */
  const received = new RecentMap<string, true>(MAX_RECEIVED)
  let isOwner = false
  /** Whether something has happened since this tab became the owner. */
  let isUsed = false
  let lastState: string | undefined
  let release = () => {}
  let resolveReady = () => {}
  const ready = new Promise<void>((resolve) => {
    resolveReady = resolve
  })

  function send(message: Message): void {
    if (!closed.signal.aborted) channel.postMessage(message)
  }

  function sendState(): void {
    if (isOwner) send({ type: 'state', state: exportState() })
  }

  function handle(request: PlainRequest, options?: HandleOptions): Outcome | Promise<Outcome> {
    isUsed = true
    return handleHere(request, options)
  }

  function replaceControls(state: string): void {
    takeOver(state)
    isUsed = false
  }

  /** Handles a request of another tab. */
  async function handleFor(id: string, request: PlainRequest): Promise<void> {
    const gone = new AbortController()
    handled.set(id, gone)
    gone.signal.addEventListener('abort', () => handled.delete(id))
    send({ type: 'received', id })
    const handling = new Promise<Outcome>((resolve) => resolve(handle(request, { signal: gone.signal })))
    // The mock of this tab reports why it fails.
    const { response, trace } = await handling.catch(() => RESET)
    const { stream, ...plain } = response
    const { message: misuse } = (trace.misuse ?? {}) as Partial<Error>
    send({ type: 'response', id, response: plain, isStream: stream !== undefined, misuse })
    if (stream === undefined) return gone.abort()
    const stop = stream(
      (text) => send({ type: 'part', id, text }),
      () => send({ type: 'end', id }),
    )
    gone.signal.addEventListener('abort', stop)
  }

  function receiveResponse({ id, response, isStream, misuse }: MessageOf<'response'>): void {
    const stream: NonNullable<PlainResponse['stream']> = (write, end) => {
      streams.set(id, { write, end })
      return () => {
        if (streams.delete(id)) send({ type: 'abort', id })
      }
    }
    const trace = misuse === undefined ? {} : { misuse: new Error(misuse) }
    pending.get(id)?.resolve({ response: isStream ? { ...response, stream } : response, trace })
    pending.delete(id)
  }

  /** After another tab, or this one, has become the owner. A request that the last one received may have changed something. */
  function settlePending(): void {
    for (const [id, { request, isReceived, resolve }] of pending) {
      if (!isReceived && !isOwner) send({ type: 'request', id, request })
      else {
        pending.delete(id)
        resolve(isReceived ? RESET : handle(request, { signal: closed.signal }))
      }
    }
    endStreams()
  }

  /** The owner then ends them too. */
  function endStreams(): void {
    for (const { end } of streams.values()) end()
  }

  const receivers: { readonly [Type in Message['type']]: (message: MessageOf<Type>) => void } = {
    join: sendState,
    owner: settlePending,
    state({ state }) {
      // The last state of the owner before may arrive late. It must not undo what has happened since.
      if (isOwner && isUsed) return
      lastState = state
      followState(state)
      if (isOwner) replaceControls(state)
      resolveReady()
    },
    request({ id, request }) {
      if (!isOwner || received.get(id)) return
      received.set(id, true)
      void handleFor(id, request)
    },
    received({ id }) {
      const request = pending.get(id)
      if (request) request.isReceived = true
    },
    response: receiveResponse,
    part: ({ id, text }) => streams.get(id)?.write(text),
    end: ({ id }) => streams.get(id)?.end(),
    abort: ({ id }) => handled.get(id)?.abort(),
  }

  function becomeOwner(): Promise<void> {
    isOwner = true
    if (lastState !== undefined) replaceControls(lastState)
    resolveReady()
    send({ type: 'owner' })
    sendState()
    settlePending()
    return new Promise((resolve) => {
      release = resolve
    })
  }

  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => receivers[data.type](data as never))
  send({ type: 'join' })
  navigator.locks.request(name, { signal: closed.signal }, becomeOwner).catch(() => {})
  await ready

  /** To be called before this tab is closed. */
  function leave(): void {
    sendState()
    endStreams()
  }

  return {
    /** To be called after every change. */
    sendState(): void {
      isUsed = true
      sendState()
    },
    leave,
    /** Handles a request in the owner's tab. */
    handle(request: PlainRequest, options?: HandleOptions): Outcome | Promise<Outcome> {
      if (isOwner) return handle(request, options)
      const id = crypto.randomUUID()
      options?.signal.addEventListener('abort', () => send({ type: 'abort', id }))
      return new Promise((resolve) => {
        pending.set(id, { request, isReceived: false, resolve })
        send({ type: 'request', id, request })
      })
    },
    stop(): void {
      leave()
      for (const gone of handled.values()) gone.abort()
      for (const { resolve } of pending.values()) resolve(RESET)
      closed.abort()
      release()
      channel.close()
    },
  }
}
