import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ProxyOptions } from 'vite'
import { isLoopbackAuthority, isLoopbackHost } from '../../adapters/server/host-names.js'
import { toErrorOutcome } from '../../document/contract/error-drafts.js'
import type { BaseAddress } from '../../http/base-address.js'
import { apiError } from '../../http/errors.js'
import { withoutSandboxCookie } from '../../http/sandbox-headers.js'

/**
 * Passes requests below `prefix` on to a mock server. References in the responses start with the prefix, so that the page
 * can follow them. The mock cannot see who has sent a request to Vite, so what it checks itself is checked here.
 */
export function toProxy(prefix: string, address: BaseAddress): ProxyOptions {
  /** The path and query inside the mock server. */
  function toInside(url: string): string {
    const inside = url.slice(prefix.length).replace(/^(?!\/)/, '/')
    const { path: base } = address
    // In a reference, the path of the mock server follows the prefix.
    return inside.startsWith(`${base}/`) ? inside.slice(base.length) : inside
  }

  return {
    configure(_proxy, options) {
      // Known since the plugin has started its server, if it has one.
      options.target = address.origin
    },
    changeOrigin: true,
    headers: { 'X-Forwarded-Prefix': prefix },
    bypass(request, response) {
      const { url = '', headers } = request
      // Vite compares texts: a file of the application may be /api-client.ts.
      if (!['/', '?', undefined].includes(url[prefix.length])) return url
      if (isLocal(request)) return undefined
      if (mentionsAdmin(address.path + toInside(url))) return refuse(url, response)
      // The mock trusts the cookie on loopback only, and Vite sends it a loopback host.
      if (headers.cookie !== undefined) headers.cookie = withoutSandboxCookie(headers.cookie)
      return undefined
    },
    rewrite: (url) => address.path + toInside(url),
  }
}

/**
 * Whether `__admin` is anywhere in the path, however it is written. Its place does not matter: Vite resolves `..`, takes `\` for
 * `/` and drops tabs, and a proxy in front of the mock may do more.
 */
function mentionsAdmin(url: string): boolean {
  const [path = ''] = url.split('?', 1)
  const decoded = path.replaceAll(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return decoded.replaceAll(/[\t\r\n]/g, '').includes('__admin')
}

/** Whether a request comes from this machine, by a name that no other site can have. */
function isLocal({ headers, socket }: IncomingMessage): boolean {
  const host = headers[':authority'] ?? headers.host ?? ''
  const address = socket.remoteAddress ?? ''
  return isLoopbackAuthority(String(host)) && isLoopbackHost(address.replace(/^::ffff:/, ''))
}

/** Returns the URL: a text ends Vite's handling of a request that has its response. */
function refuse(url: string, response: ServerResponse | undefined): string {
  const message =
    'Vite passes requests to the admin API on only if they come from this machine and name localhost. Use the address of the mock server, and its token.'
  const { status, headers, body } = toErrorOutcome(apiError('FORBIDDEN_ORIGIN', message)).response
  response?.writeHead(status, headers).end(body)
  return url
}
