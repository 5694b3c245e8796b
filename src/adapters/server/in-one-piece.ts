import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { PlainResponse } from '../../engine/contract/messages.js'
import { machineDate } from '../../lib/clock.js'

/**
 * Sends an answer as one text, and tells whether it could. Node itself would spell and check every header anew and hand
 * the system head and body as two pieces, which takes longer than finding out what to answer. To Node the text is a head
 * that is ready, with nothing behind it, and it goes on with the connection as ever. What is unusual is left to it: what
 * has no body, what may end a connection, and what is not all ASCII, as a head has to be.
 */
export function sendInOnePiece(response: ServerResponse, reply: PlainResponse, keepAliveMs: number): boolean {
  const { status, headers, body } = reply
  const { method, httpVersionMinor, headers: asked } = response.req
  if (!isReady(response) || !response.shouldKeepAlive || asked.expect !== undefined) return false
  if (httpVersionMinor !== 1 || method === 'HEAD' || WITHOUT_BODY.includes(status)) return false
  if (body === undefined || headers['Content-Length'] !== String(body.length)) return false
  const reason = STATUS_CODES[status] ?? 'unknown'
  let head = `HTTP/1.1 ${status} ${reason}\r\n`
  for (const name in headers) {
    const value = headers[name] as string
    if (OF_NODE.has(name) || BEYOND_ASCII.test(value)) return false
    head += `${name}: ${value}\r\n`
  }
  response.statusCode = status
  response.statusMessage = reason
  head += `Date: ${date()}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n`
  response._header = `${head}\r\n${body}`
  response.end()
  return true
}

const WITHOUT_BODY = [204, 304]

/** What it says by itself, or does something about. */
const OF_NODE = new Set(['Connection', 'Date', 'Keep-Alive', 'Trailer', 'Transfer-Encoding'])

/** Ends of lines, too: what is sent is never more headers than were given. */
const BEYOND_ASCII = /[^\t -~]/

/** Should Node ever keep its head elsewhere, all is left to it. */
function isReady(response: ServerResponse): response is ServerResponse & { _header: string | null } {
  return '_header' in response && response._header === null
}

let second = Number.NaN
let shown = ''

/** Now, as a header has it, spelled once a second. Node writes the machine's date too, whatever a test runner fakes. */
function date(): string {
  const now = Math.floor(machineDate.now() / 1000)
  if (now !== second) {
    second = now
    shown = new Date(now * 1000).toUTCString()
  }
  return shown
}
