/** What carries a request to the service: the `fetch` of the platform, or anything like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface Outgoing {
  readonly method: string
  /** Below the base address, with the query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined
}

/** What came back, read to its end. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** What it answers, in one line. */
  readonly sent: string
}

/** The service did not answer, or not to the end. The message says why, in a few words. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

export interface SenderOptions {
  readonly baseUrl: string
  readonly fetch: Fetch
  /** Sent with every request, and never shown: they may hold a secret. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly timeoutMs: number
}

export type Send = (request: Outgoing, signal?: AbortSignal) => Promise<Answer>

/** No answer of the document comes near it, and a service that never stops sending must not fill the memory. */
const MOST_BYTES = 16 * 1024 * 1024

export function createSender({ baseUrl, fetch, headers: common, timeoutMs }: SenderOptions): Send {
  return async (request, signal) => {
    const headers = new Headers()
    for (const [name, value] of common) headers.append(name, value)
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, value)
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const response = await fetch(`${baseUrl}${request.target}`, {
        method: request.method,
        headers,
        redirect: 'manual',
        signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
        ...(request.body !== undefined && { body: request.body }),
      })
      const text = await readText(response)
      return { status: response.status, headers: response.headers, text, sent: describeRequest(request) }
    } catch (error) {
      if (error instanceof NoAnswer) throw error
      throw new NoAnswer(timeout.aborted ? `nothing within ${timeoutMs} ms` : explain(error))
    }
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  const reader = response.body?.getReader()
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    bytes += part.value.length
    if (bytes > MOST_BYTES) {
      await reader?.cancel()
      throw new NoAnswer(`an answer of more than ${MOST_BYTES} bytes`)
    }
    text += decoder.decode(part.value, { stream: true })
  }
  return text + decoder.decode()
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut off',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name could not be looked up',
  UND_ERR_SOCKET: 'the connection was cut off',
}

/** The reason lies deepest: what `fetch` throws only says that it failed. */
function explain(error: unknown): string {
  let reason = error as { cause?: unknown; code?: unknown; message?: unknown } | undefined
  while (typeof reason?.cause === 'object' && reason.cause !== null) reason = reason.cause
  const code = String(reason?.code ?? '')
  return REASONS[code] ?? (String(reason?.message ?? '') || code || 'an unknown reason')
}

/** A request in one line: what matters of it to see why the answer should be another. */
function describeRequest({ method, target, headers, body }: Outgoing): string {
  const shown = Object.entries(headers).filter(([name, value]) => !isOrdinary(name, value))
  const told = shown.map(([name, value]) => `${name}: ${value}`).join(', ')
  const content = typeof body === 'string' ? body || '(an empty body)' : body && `(${body.length} bytes)`
  return [method, target, content, told && `(${told})`].filter((part) => part !== undefined && part !== '').join(' ')
}

function isOrdinary(name: string, value: string): boolean {
  return (name === 'Content-Type' || name === 'Accept') && value === 'application/json'
}
