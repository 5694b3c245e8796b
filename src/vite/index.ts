import type { Plugin, ViteDevServer } from 'vite'
import type { BrowserOptions } from '../adapters/browser/index.js'
import { resolveBaseAddresses } from '../engine/base-address.js'
import { invalidOption } from '../engine/contract/errors.js'
import { checkOptions } from './check-options.js'
import { entryCode, parseKeys, waitForMock } from './page.js'
import { toProxy } from './proxy.js'
import { readWorkerScript } from './worker-script.js'

/** Options of the mock in the page. Those that are functions cannot be passed on to it. */
type PageOptions = Omit<BrowserOptions, 'baseUrl' | 'worker' | 'onNotice' | 'onError' | 'onProgress'>

export interface PetstorePluginOptions extends PageOptions {
  /** The path that the application sends its requests to. Default: `/api`. */
  baseUrl?: string
  /** The address of a mock server. Vite passes requests on to it, and the page has no mock. Default: none. */
  server?: string
  /** Opens the dashboard in the page. Default: `Alt+Shift+P`. */
  dashboardKey?: string
}

/** The name by which the page imports the mock. */
const MODULE = 'virtual:petstore-mock'

/** The name by which the application does. Without the plugin, it is a module without a mock. */
const PAGE_MODULE = 'petstore-mock/vite/page'

/**
 * Mocks the service while you develop: in the page, or by passing requests on to a mock server. A build contains
 * nothing of it.
 */
export function petstoreMock(options: PetstorePluginOptions = {}): Plugin {
  const { baseUrl = '/api', server, dashboardKey = 'Alt+Shift+P', ...pageOptions } = options
  if (!baseUrl.startsWith('/') || baseUrl === '/') throw invalidOption('baseUrl', 'a path such as /api', baseUrl)
  for (const [name, value] of Object.entries(pageOptions)) {
    if (typeof value === 'function')
      throw invalidOption(name, 'something other than a function, which a page cannot get', value)
  }
  const keys = parseKeys(dashboardKey)
  const prefix = baseUrl.replace(/\/+$/, '')
  const [target] = server === undefined ? [] : resolveBaseAddresses(server, undefined, 'server').all
  let base = '/'
  let root = '.'
  let isInVitest = false
  /** Rejects if the options are invalid. */
  let checked = Promise.resolve()

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
    configureServer(vite) {
      checked = checkOptions(options)
      checked.catch(({ message }: Error) => vite.config.logger.error(`petstore-mock: ${message}`))
      printAddress(vite, server ?? `${prefix} in the page (dashboard: ${dashboardKey})`)
      if (target !== undefined) return
      const script = readWorkerScript(root)
      vite.middlewares.use(`${base}${WORKER}`, (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/javascript', 'Cache-Control': 'no-cache' }).end(script)
      })
    },
    resolveId(id, _importer, { ssr }) {
      const isInPage = target === undefined && !ssr && !isInVitest
      return id === MODULE || (id === PAGE_MODULE && isInPage) ? `\0${MODULE}` : undefined
    },
    async load(id) {
      if (id !== `\0${MODULE}`) return
      // Vite shows it over the page.
      await checked.catch(({ message }: Error) => this.error({ message, stack: '' }))
      return entryCode({ ...pageOptions, baseUrl: prefix, worker: `${base}${WORKER}` }, keys)
    },
    transformIndexHtml: { order: 'pre', handler: (html) => (target === undefined ? waitForMock(html, MODULE) : html) },
  }
}

const WORKER = 'mockServiceWorker.js'

/** Adds a line to what Vite prints when it has started. */
function printAddress(vite: ViteDevServer, address: string): void {
  const printUrls = vite.printUrls.bind(vite)
  vite.printUrls = () => {
    printUrls()
    vite.config.logger.info(`  ➜  petstore-mock: ${address}`)
  }
}
