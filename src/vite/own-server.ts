import type { ViteDevServer } from 'vite'
import type { ListeningServer, ServiceServerOptions } from '../adapters/server/index.js'
import type { AnyService } from '../engine/define-service.js'
import type { ServiceDefinition } from '../engine/service.js'
import { describeUpstream, upstreamLine } from '../engine/upstream/describe-upstream.js'
import { printable } from '../lib/printable.js'
import { loadService, type PageServiceOptions } from './page-service.js'

/** A mock server in the process of Vite: only a server can stand in front of the real service. */
export interface OwnServer {
  /** Where it is, once it has been started. */
  readonly address: { readonly origin: string; readonly path: string }
  /** Returns the service, and what to print about its address. */
  start(vite: ViteDevServer): Promise<{ service: ServiceDefinition<AnyService>; address: string }>
  /** Closes the one that was started first: when Vite restarts, the next has been started before. */
  close(): Promise<void>
}

export function createOwnServer(of: PageServiceOptions, options: object): OwnServer {
  const address = { origin: '', path: '' }
  const running: ListeningServer[] = []
  return {
    address,
    async start(vite) {
      const { startServer } = await import('../adapters/server/index.js')
      const service = await loadService(of, vite)
      const server = await startServer({ ...options, service, port: 0 } as ServiceServerOptions)
      running.push(server)
      address.origin = server.url
      const { upstream } = server.mock
      const passed = upstream && printable(upstreamLine(describeUpstream(upstream, service.operations)))
      return { service, address: `${server.url} (dashboard: ${server.url}/__admin/)\n  ➜  upstream: ${passed}` }
    },
    async close() {
      await running.shift()?.close()
    },
  }
}
