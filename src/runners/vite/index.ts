import { resolve } from 'node:path'
import type { Plugin, ViteDevServer } from 'vite'
import type { BrowserInterceptionOptions, BrowserOptions } from '../../adapters/browser/index.js'
import {
  checkUpstreamOptions,
  type ResolvedUpstreamOptions,
  UPSTREAM_DEFAULTS,
  type UpstreamOptions,
} from '../../adapters/upstream/options.js'
import type { MockOptions } from '../../engine/mock/define-service.js'
import { type BaseAddress, resolveBaseAddresses } from '../../http/base-address.js'
import { invalidOption } from '../../http/errors.js'
import { checkOptions, createOwnServer } from './own-server.js'
import { COMPILED_MODULE, entryCode, packageCode, parseKeys, waitForMock } from './page.js'
import { loadService, type PageService, type PageServiceOptions, toPageService, watchService } from './page-service.js'
import { toProxy } from './proxy.js'
import { readWorkerScript } from './worker-script.js'

/** Options of the mock in the page. Those that are functions cannot be passed on to it. */
type PageOptions = Omit<BrowserOptions, 'baseUrl' | 'worker' | 'onNotice' | 'onError' | 'onProgress'>

interface OwnOptions extends UpstreamOptions {
  /** The path that the application sends its requests to. Default: `/api`. */
  baseUrl?: string
  /**
   * The address of a mock server. Vite passes requests on to it, and the page has no mock. Default: none, or with `upstream` one
   * that Vite starts.
   */
  server?: string
  /** Opens the dashboard in the page. Default: `Alt+Shift+P`. */
  dashboardKey?: string
}

export interface PetstorePluginOptions extends PageOptions, OwnOptions {}

/** Options for a service of your own: those of its mock, too. */
export type ServicePluginOptions = OwnOptions &
  Omit<BrowserInterceptionOptions, 'baseUrl' | 'worker' | 'onNotice' | 'onError'> &
  MockOptions &
  (
    | { /** The path of its OpenAPI document. */ document: string; service?: never }
    | { /** The path of its service file, whose default export is the service. */ service: string; document?: never }
  )

/** The name by which the page imports the mock. */
const MODULE = 'virtual:petstore-mock'

/** The name by which the application does. Without the plugin, it is a module without a mock. */
const PAGE_MODULE = 'petstore-mock/vite/page'

/**
 * Mocks the service while you develop: in the page, or by passing requests on to a mock server. A build contains
 * nothing of it.
 */
export function petstoreMock(options: PetstorePluginOptions | ServicePluginOptions = {}): Plugin {
  const {
    baseUrl = '/api',
    server,
    dashboardKey = 'Alt+Shift+P',
    document,
    service,
    ...pageOptions
  } = options as OwnOptions & PageServiceOptions
  const { upstream } = options
  checkUpstreamOptions({ ...UPSTREAM_DEFAULTS, ...options } as ResolvedUpstreamOptions)
  const of = { ...(document !== undefined && { document }), ...(service !== undefined && { service }) }
  const [name] = Object.keys(of)
  if (name !== undefined && server !== undefined) {
    throw invalidOption(name, 'omitted with "server": that mock server has its own service', of)
  }
  if (upstream !== undefined && server !== undefined) {
    throw invalidOption('upstream', 'omitted with "server": start that mock server with it', upstream)
  }
  if (Object.keys(of).length > 1) throw invalidOption('service', 'omitted with "document"', service)
  if (!baseUrl.startsWith('/') || baseUrl === '/') throw invalidOption('baseUrl', 'a path such as /api', baseUrl)
  for (const [name, value] of Object.entries(pageOptions)) {
    if (typeof value === 'function')
      throw invalidOption(name, 'something other than a function, which a page cannot get', value)
  }
  const keys = parseKeys(dashboardKey)
  const prefix = baseUrl.replace(/\/+$/, '')
  const ownServer = upstream === undefined ? undefined : createOwnServer(of, pageOptions)
  const [target] = ownServer ? [ownServer.address] : resolveServer(server)
  let base = '/'
  let root = '.'
  let isInVitest = false
  /** Rejects if the service or the options cannot be used. */
  let loaded: Promise<PageService> | undefined

  /** Loads and checks what the page will get. */
  function load(vite: ViteDevServer, service: Promise<PageService['service']>): Promise<PageService> {
    const loading = service.then(async (found) => {
      const page = await toPageService(of, found)
      await checkOptions(found, options)
      return page
    })
    loading.catch(({ message }: Error) => vite.config.logger.error(`petstore-mock: ${message}`))
    return loading
  }

  function reloadPage(vite: ViteDevServer): void {
    const { client } = vite.environments
    for (const id of [MODULE, COMPILED_MODULE]) {
      const module = client.moduleGraph.getModuleById(`\0${id}`)
      if (module) client.moduleGraph.invalidateModule(module)
    }
    client.hot.send({ type: 'full-reload' })
  }

  return {
    name: 'petstore-mock',
    // Before Vite finds the module in the package.
    enforce: 'pre',
    apply: (_config, { command, isPreview }) => command === 'serve' && !isPreview,
    config: () =>
      target === undefined
        ? // Found later, it would make Vite reload the page.
          { optimizeDeps: { include: ['petstore-mock/browser'] } }
        : { server: { proxy: { [prefix]: toProxy(prefix, target) } } },
    configResolved(config) {
      base = config.base
      root = config.root
      // vitest uses the plugins of Vite, but has no page.
      isInVitest = config.plugins.some(({ name }) => name === 'vitest')
    },
    async configureServer(vite) {
      if (ownServer !== undefined) {
        // Tests have a mock of their own, and pass nothing through.
        if (isInVitest) return
        const started = await ownServer.start(vite)
        const watchFilesOf = watchService(of, vite, () => {
          const service = loadService(of, vite)
          void watchFilesOf(service)
          // Vite would end, or have no mock, if the new one could not start.
          service.then(
            () => vite.restart(),
            ({ message }: Error) => vite.config.logger.error(`petstore-mock: ${message}`),
          )
        })
        void watchFilesOf(Promise.resolve(started.service))
        printAddress(vite, started.address)
        return
      }
      const watchFilesOf = watchService(of, vite, () => {
        loadPage()
        reloadPage(vite)
      })
      const loadPage = () => {
        const service = loadService(of, vite)
        loaded = load(vite, service)
        void watchFilesOf(service)
      }
      loadPage()
      printAddress(vite, server ?? `${prefix} in the page (dashboard: ${dashboardKey})`)
      if (target !== undefined) return
      const script = readWorkerScript(root)
      vite.middlewares.use(`${base}${WORKER}`, (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/javascript', 'Cache-Control': 'no-cache' }).end(script)
      })
    },
    buildEnd: () => ownServer?.close(),
    resolveId(id, _importer, { ssr }) {
      const isInPage = target === undefined && !ssr && !isInVitest
      if (id === COMPILED_MODULE || (id === PACKAGE && isInPage && service !== undefined)) return `\0${id}`
      return id === MODULE || (id === PAGE_MODULE && isInPage) ? `\0${MODULE}` : undefined
    },
    async load(id) {
      if (id === `\0${PACKAGE}`) return packageCode
      if (id !== `\0${MODULE}` && id !== `\0${COMPILED_MODULE}`) return
      // Vite shows it over the page.
      const found = await loaded?.catch(({ message }: Error) => this.error({ message, stack: '' }))
      if (id === `\0${COMPILED_MODULE}`) return found?.compiled
      const file = service === undefined ? of : { service: resolve(root, service) }
      return entryCode(file, { ...pageOptions, baseUrl: prefix, worker: `${base}${WORKER}` }, keys)
    },
    transformIndexHtml: { order: 'pre', handler: (html) => (target === undefined ? waitForMock(html, MODULE) : html) },
  }
}

function resolveServer(server: string | undefined): readonly BaseAddress[] {
  return server === undefined ? [] : resolveBaseAddresses(server, undefined, 'server').all
}

/** What a service file imports. */
const PACKAGE = 'petstore-mock'

const WORKER = 'mockServiceWorker.js'

/** Adds a line to what Vite prints when it has started. */
function printAddress(vite: ViteDevServer, address: string): void {
  const printUrls = vite.printUrls.bind(vite)
  vite.printUrls = () => {
    printUrls()
    vite.config.logger.info(`  ➜  petstore-mock: ${address}`)
  }
}
