import type { PlainRequest } from '../../src/index.js'

/**
 * One request as it is sent. All of it is text, so that a case that fails can be printed and pasted: each character of
 * the body is one of its bytes.
 */
export interface Asked {
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** Names in lower case, each once. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: string
}

/** The bytes of a text, each as a character. */
export function toByteText(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

export function toBytes(byteText: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(byteText, 'latin1'))
}

/** The request without a header, or with another value for it. */
export function withHeader(asked: Asked, name: string, value?: string): Asked {
  const others = asked.headers.filter(([each]) => each !== name)
  return { ...asked, headers: value === undefined ? others : [...others, [name, value]] }
}

/** As an adapter hands it to the core. `fetch` puts headers in order, and the journal shows them as they come. */
export function toPlain({ method, target, headers, body }: Asked): PlainRequest {
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

/** As it stands on the wire, on a connection that ends with it. */
export function toWire({ method, target, headers, body }: Asked): string {
  const own = headers.some(([name]) => name === 'host') ? [] : [['host', 'localhost']]
  const length = body === undefined ? [] : [['content-length', String(body.length)]]
  const lines = [...own, ...headers, ...length, ['connection', 'close']].map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
}
