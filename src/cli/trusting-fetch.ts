import { type IncomingMessage, request as sendHttp } from 'node:http'
import { Agent, request as sendHttps } from 'node:https'
import { Readable } from 'node:stream'
import { trustedCertificates } from '../adapters/certificates.js'
import type { Fetch } from '../tools/server/send-request.js'

/** A `fetch` that also trusts the certificate in a file, which Node's own cannot. It follows no redirects. */
export function createTrustingFetch(file: string): Fetch {
  const agent = new Agent({ ca: trustedCertificates(file), keepAlive: true })
  return (url, { method = 'GET', headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const isHttps = url.startsWith('https:')
      const options = {
        method,
        headers: Object.fromEntries(new Headers(headers)),
        ...(signal && { signal }),
        ...(isHttps && { agent }),
      }
      const request = (isHttps ? sendHttps : sendHttp)(url, options, (incoming) => {
        try {
          resolve(toResponse(incoming, method))
        } catch (error) {
          // For example, a status that does not exist.
          incoming.destroy()
          reject(error)
        }
      })
      request.on('error', reject)
      request.end(body ?? undefined)
    })
}

function toResponse(incoming: IncomingMessage, method: string): Response {
  const { statusCode: status = 0, rawHeaders } = incoming
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  const isEmpty = [204, 205, 304].includes(status) || method === 'HEAD'
  if (isEmpty) incoming.resume()
  return new Response(isEmpty ? null : (Readable.toWeb(incoming) as ReadableStream), { status, headers })
}
