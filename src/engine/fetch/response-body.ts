import { MAX_WAITING_BYTES } from '../../http/limits.js'
import type { PlainResponse } from '../../http/messages.js'
import { wait } from '../../lib/clock.js'
import { nextTurn } from '../../lib/steps.js'
import { joinBytes, toBytes } from '../../lib/text.js'
import { isBytes } from '../../lib/values.js'

/** Reads a body up to a limit, and cancels it there. Rejects as soon as the signal is aborted. */
export async function readStream(
  body: ReadableStream<Uint8Array>,
  max: number,
  signal: AbortSignal,
): Promise<Uint8Array | 'too large'> {
  const reader = body.getReader()
  const cancel = () => void reader.cancel(signal.reason).catch(() => {})
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const chunks: Uint8Array[] = []
    let size = 0
    for (;;) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      if (done) return joinBytes(chunks)
      // As in `fetch`. Anything else would be read as zeros.
      if (!isBytes(value)) throw new TypeError('A chunk of the request body is not a Uint8Array.')
      chunks.push(value)
      size += value.length
      if (size > max) {
        cancel()
        return 'too large'
      }
    }
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Who waits for a response. Keeps the request reachable: once it is collected, its signal no longer follows that of its caller. */
export interface Caller {
  readonly request: Request
  readonly signal: AbortSignal
}

/** The body of a `Response`. One that takes time fails when the request is aborted. */
export function toBody({ body, bytes, stream, delivery }: PlainResponse, caller: Caller): BodyInit | null {
  if (stream !== undefined) return toEndless(stream, caller)
  if (delivery?.kind === 'truncate') return toStream(() => truncated(toBytes(body ?? bytes)), caller)
  if (delivery?.kind === 'slow')
    return toStream((gone) => sendSlowly(toBytes(body ?? bytes), delivery.overMs, gone), caller)
  return body ?? (bytes as BodyInit | undefined) ?? null
}

const encoder = new TextEncoder()

function toEndless(stream: NonNullable<PlainResponse['stream']>, caller: Caller): ReadableStream<Uint8Array> {
  let stop = () => {}
  const strategy = { highWaterMark: MAX_WAITING_BYTES, size: ({ length }: Uint8Array) => length }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const end = () => {
          stop()
          controller.close()
        }
        stop = stream((text) => {
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(text))
          else end()
        }, end)
        caller.signal.addEventListener('abort', () => {
          stop()
          controller.error(caller.signal.reason)
        })
      },
      cancel: () => stop(),
    },
    strategy,
  )
}

/** The first half of the body, then the error of Node's fetch for a broken connection. */
async function* truncated(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, Math.floor(bytes.length / 2))
  // An error right after the first half could overtake it. Not a timer, which a test runner can fake.
  await nextTurn()
  const cause = Object.assign(new Error('other side closed'), { name: 'SocketError', code: 'UND_ERR_SOCKET' })
  throw new TypeError('terminated', { cause })
}

/** The parts of a slow body. With more, a socket of msw warns about too many listeners. */
const MAX_PARTS = 8

/** A body in parts with pauses between them, until the client is gone. */
export async function* sendSlowly(bytes: Uint8Array, overMs: number, gone: AbortSignal): AsyncGenerator<Uint8Array> {
  const parts = Math.min(MAX_PARTS, bytes.length)
  for (let part = 0; part < parts; part++) {
    if (part > 0) await wait(overMs / (parts - 1), gone)
    if (gone.aborted) return
    const [from, to] = [part, part + 1].map((index) => Math.floor((bytes.length * index) / parts))
    yield bytes.subarray(from, to)
  }
}

/** A body as a stream. It fails when the request is aborted, and makes no part that will not be read. */
function toStream(make: (gone: AbortSignal) => AsyncGenerator<Uint8Array>, caller: Caller) {
  const end = new AbortController()
  const parts = make(end.signal)
  let fail = () => {}
  const finish = () => {
    caller.signal.removeEventListener('abort', fail)
    end.abort()
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      fail = () => {
        controller.error(caller.signal.reason)
        finish()
      }
      caller.signal.addEventListener('abort', fail)
    },
    async pull(controller) {
      const { done, value } = await parts.next()
      if (end.signal.aborted) return
      if (!done) return controller.enqueue(value)
      finish()
      controller.close()
    },
    cancel: finish,
  })
}
