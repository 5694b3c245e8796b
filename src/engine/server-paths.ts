import { isOwnAdminPath } from './address.js'
import type { PlainRequest } from './contract/messages.js'
import { tidyDocument } from './contract/tidy-document.js'
import type { ServiceDefinition, ServiceTypes } from './service.js'

interface Server {
  readonly url?: string
  readonly variables?: Readonly<Record<string, { readonly default?: unknown } | undefined>>
}

/** Takes the path of a server of the document off a request to one of its operations: `/api/v1` of `/api/v1/books`. */
export function createServerPaths<T extends ServiceTypes>(definition: ServiceDefinition<T>) {
  const { servers = [] } = tidyDocument(definition.document).document as { readonly servers?: readonly Server[] }
  const bases = servers.map(pathOf).filter((base) => base !== '')
  return (request: PlainRequest): PlainRequest => {
    for (const base of bases) {
      const path = request.path.slice(base.length)
      const isBelow = request.path.startsWith(`${base}/`) && !isOwnAdminPath(path)
      if (isBelow && definition.contract.findRoute(path.slice(1).split('/'))) {
        return { ...request, path, base: request.base + base }
      }
    }
    return request
  }
}

function pathOf({ url = '', variables = {} }: Server): string {
  const filled = url.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => String(variables[name]?.default ?? ''))
  return URL.canParse(filled, 'http://mock') ? new URL(filled, 'http://mock').pathname.replace(/\/+$/, '') : ''
}
