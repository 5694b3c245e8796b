import { dirname, extname, resolve, sep } from 'node:path'
import type { ViteDevServer } from 'vite'
import { MockError } from '../engine/contract/errors.js'
import type { AnyService } from '../engine/define-service.js'
import { compiledModule } from '../engine/document/compiled-module.js'
import { createDocumentService, loadDocument } from '../engine/document/index.js'
import type { ServiceDefinition } from '../engine/service.js'
import { petstoreService } from '../petstore/service.js'

/** Which service the page mocks. Default: the built-in one. */
export interface PageServiceOptions {
  /** The path of an OpenAPI document. */
  document?: string
  /** The path of a service file, a module whose default export is a service. */
  service?: string
}

export interface PageService {
  readonly service: ServiceDefinition<AnyService>
  /** The code of the module with the document and its validators. Missing for the built-in service. */
  readonly compiled?: string
}

/** Loads the service that the options name, with Vite, which knows TypeScript, and what a page needs of it. */
export async function loadPageService(of: PageServiceOptions, vite: ViteDevServer): Promise<PageService> {
  const service = await loadService(of, vite)
  const isBuiltIn = of.document === undefined && of.service === undefined
  return isBuiltIn ? { service } : { service, compiled: await compiledModule(service) }
}

/** The service alone. */
export async function loadService(
  { document, service }: PageServiceOptions,
  vite: ViteDevServer,
): Promise<ServiceDefinition<AnyService>> {
  const { root } = vite.config
  if (document !== undefined) return createDocumentService(await loadDocument(resolve(root, document)))
  if (service === undefined) return petstoreService as never
  // Vite does not know which documents it reads.
  vite.environments.ssr.moduleGraph.invalidateAll()
  const { default: exported } = await vite.ssrLoadModule(resolve(root, service))
  if (!isService(exported)) {
    throw new MockError(
      'INVALID_OPTION',
      `${service}: the default export must be a service: export default defineService({ … }).`,
    )
  }
  return exported
}

function isService(value: unknown): value is ServiceDefinition<AnyService> {
  return typeof value === 'object' && value !== null && 'withValidators' in value
}

const DOCUMENTS = ['.yaml', '.yml', '.json']

/** Calls `onChange` when a file may have changed that the service is made from: documents may refer to those beside them. */
export function watchService(
  { document, service }: PageServiceOptions,
  vite: ViteDevServer,
  onChange: () => void,
): void {
  const given = document ?? service
  if (given === undefined) return
  const main = resolve(vite.config.root, given)
  const folder = dirname(main) + sep
  vite.watcher.add(main)
  vite.watcher.on('all', (_event, file) => {
    const path = resolve(file)
    const isDocument = DOCUMENTS.includes(extname(path)) && path.startsWith(folder)
    const isImported = (vite.environments.ssr.moduleGraph.getModulesByFile(path)?.size ?? 0) > 0
    if (path === main || isDocument || (service !== undefined && isImported)) onChange()
  })
}
