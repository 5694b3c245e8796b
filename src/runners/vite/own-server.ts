import type { ViteDevServer } from 'vite'
import { BROWSER_OPTIONS } from '../../adapters/browser/options.js'
import { splitOptions } from '../../adapters/msw/options.js'
import type { ListeningServer, ServiceServerOptions } from '../../adapters/server/index.js'
import type { AnyService } from '../../engine/mock/define-service.js'
import { createMock } from '../../engine/mock/mock.js'
import { rejectUnknown } from '../../engine/options.js'
import { describeUpstream, upstreamLine } from '../../engine/pipeline/describe-upstream.js'
import type { ServiceDefinition } from '../../engine/service.js'
import { printable } from '../../lib/text.js'
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
      const { startServer } = await import('../../adapters/server/index.js')
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

/** Options of the plugin itself. */
const OWN = ['baseUrl', 'server', 'dashboardKey', 'document', 'service']

/** Options of the mock in the page that the plugin sets, or that are functions. */
const NOT_ACCEPTED = ['worker', 'onNotice', 'onError', 'onProgress']

/** Rejects, as the mock in the page would, where only the console of the browser would show it. */
export async function checkOptions(service: ServiceDefinition<AnyService>, options: object): Promise<void> {
  const pageDefaults = { ...BROWSER_OPTIONS, ...service.defaultOptions }
  rejectUnknown(options, [...OWN, ...Object.keys(pageDefaults).filter((name) => !NOT_ACCEPTED.includes(name))])
  const pageOptions = Object.fromEntries(Object.entries(options).filter(([name]) => !OWN.includes(name)))
  const { mockOptions } = splitOptions(service, pageOptions, BROWSER_OPTIONS)
  await createMock(service, mockOptions).mock.ready
}
