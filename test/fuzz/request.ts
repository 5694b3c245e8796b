import type { PlainRequest } from '../../src/index.js'

/**
 * One request. All of it is text, so that a failing case can be printed and pasted: each character of the body is one
 * byte.
 */
export interface FuzzRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** Names in lower case, without duplicates. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: string
}

/** The UTF-8 bytes of a text, each as a character. */
export function toByteText(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

export function toBytes(byteText: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(byteText, 'latin1'))
}

/** Sets a header, or removes it if there is no value. */
export function withHeader(request: FuzzRequest, name: string, value?: string): FuzzRequest {
  const others = request.headers.filter(([each]) => each !== name)
  return { ...request, headers: value === undefined ? others : [...others, [name, value]] }
}

/** As an adapter passes it to the core. `fetch` sorts headers, and the journal keeps their order. */
export function toPlain({ method, target, headers, body }: FuzzRequest): PlainRequest {
  const mark = target.indexOf('?')
  return {
    method,
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    base: '',
    headers: Object.fromEntries(headers.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    ...(body !== undefined && { body: toBytes(body) }),
  }
}

/** As HTTP/1.1, with `Connection: close`. */
export function toWire({ method, target, headers, body }: FuzzRequest): string {
  const own = headers.some(([name]) => name === 'host') ? [] : [['host', 'localhost']]
  const length = body === undefined ? [] : [['content-length', String(body.length)]]
  const lines = [...own, ...headers, ...length, ['connection', 'close']].map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
}
