import { resolve } from 'node:path'
import type { ViteDevServer } from 'vite'
import { readForLines, toFileError } from '../../document/load/file-error.js'
import { filesByDocument, filesOfError } from '../../document/load/read-document.js'
import { compiledModule } from '../../engine/mock/compiled-module.js'
import type { AnyService } from '../../engine/mock/define-service.js'
import { createDocumentService, loadDocument } from '../../engine/mock/load.js'
import { isService } from '../../engine/mock/service-of.js'
import type { ServiceDefinition } from '../../engine/service.js'
import { MockError } from '../../http/errors.js'
import { petstoreService } from '../../petstore/service.js'

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

/** The service that the options name, and what a page needs of it. */
export async function toPageService(of: PageServiceOptions, service: PageService['service']): Promise<PageService> {
  const isBuiltIn = of.document === undefined && of.service === undefined
  return isBuiltIn ? { service } : { service, compiled: await compiledModule(service) }
}

/** Loads the service that the options name, with Vite, which knows TypeScript. */
export async function loadService(
  { document, service }: PageServiceOptions,
  vite: ViteDevServer,
): Promise<ServiceDefinition<AnyService>> {
  const { root } = vite.config
  if (document !== undefined) {
    const file = resolve(root, document)
    try {
      return createDocumentService(await loadDocument(file))
    } catch (error) {
      throw await toFileError(document, error, await readForLines(file))
    }
  }
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

/**
 * Calls `onChange` when a file changes that the service is made from. Returns the function that adds those of its document, or of
 * one that could not be loaded.
 */
export function watchService(
  { document, service }: PageServiceOptions,
  vite: ViteDevServer,
  onChange: () => void,
): (loading: Promise<Pick<ServiceDefinition<AnyService>, 'document'>>) => Promise<void> {
  const given = document ?? service
  if (given === undefined) return async () => {}
  const main = resolve(vite.config.root, given)
  let files: readonly string[] = []
  function watch(others: readonly string[]): void {
    files = [main, ...others]
    vite.watcher.add(files)
  }
  watch([])
  vite.watcher.on('all', (_event, file) => {
    const path = resolve(file)
    const isImported = (vite.environments.ssr.moduleGraph.getModulesByFile(path)?.size ?? 0) > 0
    if (files.includes(path) || (service !== undefined && isImported)) onChange()
  })
  return (loading) =>
    loading.then(
      (found) => watch(filesByDocument.get(found.document) ?? []),
      (error: unknown) => watch([...files, ...filesOfError(error)]),
    )
}
