import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { Agent, fetch as undiciFetch } from 'undici'
import { inject } from 'vitest'
import { startServer } from '../../src/adapters/server/index.js'
import { TIMEOUTS } from './adapter-server.js'
import type { Adapter } from './adapters.js'

/** Keeps the certificates of tests out of the user's cache folder. */
export function useTemporaryCache(): void {
  process.env.XDG_CACHE_HOME ??= mkdtempSync(join(inject('caches'), 'cache-'))
}

/** Node's own fetch cannot be given a certificate. */
export function createTlsFetch(certificate: string | undefined, allowH2: boolean) {
  const dispatcher = new Agent({ allowH2, connect: { ca: certificate } })
  // Over HTTP/2, undici never ends a request with an empty body.
  const isEmpty = (body: unknown) => body === '' || (body instanceof Uint8Array && body.length === 0)
  const toInit = ({ body, ...init }: RequestInit = {}) => ({ ...init, dispatcher, ...(!isEmpty(body) && { body }) })
  return {
    fetch: (url: string, init?: RequestInit) => undiciFetch(url, toInit(init) as never) as unknown as Promise<Response>,
    close: () => dispatcher.destroy(),
  }
}

function overTls(name: string, allowH2: boolean): Adapter {
  return {
    name,
    isServer: true,
    async open(options = {}) {
      useTemporaryCache()
      const server = await startServer({ validateResponses: true, port: 0, https: true, ...TIMEOUTS, ...options })
      const client = createTlsFetch(server.certificate, allowH2)
      return {
        petstore: server.petstore,
        fetch: (path, init) => client.fetch(server.url + path, init),
        async close() {
          await client.close()
          await server.close()
        },
      }
    },
    async openService(service) {
      useTemporaryCache()
      const server = await startServer({ service, validateResponses: true, port: 0, https: true, ...TIMEOUTS })
      const client = createTlsFetch(server.certificate, allowH2)
      return {
        mock: server.mock,
        fetch: (path, init) => client.fetch(server.url + path, init),
        async close() {
          await client.close()
          await server.close()
        },
      }
    },
  }
}

export const https = overTls('over HTTPS/1.1', false)
export const http2 = overTls('over HTTP/2', true)
