import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ApiError, apiError } from '../../engine/contract/errors.js'
import { handleError } from '../../engine/contract/render.js'

/** What the HTTP parser could not read, as the answer the contract has for it. */
export function toParserError(error: NodeJS.ErrnoException): ApiError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return apiError('HEADERS_TOO_LARGE', 'the request line and headers are larger than is taken')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return apiError('REQUEST_TIMEOUT', 'the request did not arrive in time')
    case 'HPE_INVALID_VERSION':
      return apiError('VERSION_NOT_SUPPORTED', 'the request line must end in HTTP/1.1 or HTTP/1.0, and in CR and LF')
    case 'HPE_INVALID_METHOD':
      return apiError('BAD_REQUEST', 'the request does not begin with a method of HTTP, in capital letters')
    default:
      return apiError('BAD_REQUEST', 'the request cannot be read as HTTP')
  }
}

const LINGER_MS = 1000

/** Answers on a bare socket, where there is no request to answer to, and hangs up. */
export function answerAndClose(socket: Duplex, error: ApiError): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const { status, headers, body } = handleError(error).response
  const head = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`)
  // Hanging up at once could take the answer away from a client that is still sending.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
