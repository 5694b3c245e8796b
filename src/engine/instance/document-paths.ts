import { compileSegment } from '../../document/schema/route.js'
import { tidyDocument } from '../../document/schema/tidy-document.js'
import { isOwnAdminPath, SANDBOX_SEGMENT, type SandboxPaths } from '../../http/address.js'
import type { PlainRequest } from '../../http/messages.js'
import { parsePath } from '../../http/target.js'
import { once } from '../../lib/functions.js'
import type { ServiceDefinition, ServiceTypes } from '../service.js'

interface Server {
  readonly url?: string
  readonly variables?: Readonly<Record<string, { readonly default?: unknown } | undefined>>
}

/** The paths of a service's document. They win over those of the mock, apart from what is below `/__admin`. */
export interface DocumentPaths extends SandboxPaths {
  has(path: string): boolean
  /** Takes the path of a server off a request to an operation: `/api/v1` of `/api/v1/books`. */
  withoutServer(request: PlainRequest): PlainRequest
}

export function createDocumentPaths({
  document,
  contract,
}: Pick<ServiceDefinition<ServiceTypes>, 'document' | 'contract'>): DocumentPaths {
  const bases = serverPathsOf(document)
  const isRoute = (path: string) => contract.findRoute(path.slice(1).split('/')) !== undefined
  /** The second segments of the paths that can start with `/sandbox`. */
  const seconds = once(() =>
    contract.operations().flatMap(({ path }) =>
      ['', ...bases].flatMap((base) => {
        const [, first = '', second = ''] = `${base}${path}`.split('/')
        const isTaken = first === SANDBOX_SEGMENT || (fits(first, SANDBOX_SEGMENT) && !second.includes('{'))
        return isTaken && second !== '' ? [second] : []
      }),
    ),
  )

  return {
    has(path) {
      const segments = decodedSegments(path)
      return segments !== undefined && !isOwnAdminPath(path) && contract.findRoute(segments) !== undefined
    },

    takesSandbox: (name) => seconds().some((second) => fits(second, name)),

    withoutServer(request) {
      if (isOwnAdminPath(request.path)) return request
      for (const base of bases) {
        const path = request.path.slice(base.length)
        const isBelow = request.path.startsWith(`${base}/`) && !isOwnAdminPath(path)
        if (isBelow && isRoute(path)) return { ...request, path, base: request.base + base }
      }
      return request
    },
  }
}

/** The paths of a document's servers, without those at the root. */
export function serverPathsOf(document: object): readonly string[] {
  const { servers = [] } = tidyDocument(document).document as { readonly servers?: readonly Server[] }
  return servers.map(pathOf).filter((base) => base !== '')
}

/** Whether a segment of the document, which may have parameters, can stand for this one. */
function fits(template: string, segment: string): boolean {
  return template.includes('{') ? compileSegment(template)(segment) !== undefined : template === segment
}

/** Undefined if the path cannot be decoded. */
function decodedSegments(path: string): readonly string[] | undefined {
  try {
    return parsePath(path)
  } catch {
    return undefined
  }
}

function pathOf({ url = '', variables = {} }: Server): string {
  const filled = url.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => String(variables[name]?.default ?? ''))
  return URL.canParse(filled, 'http://mock') ? new URL(filled, 'http://mock').pathname.replace(/\/+$/, '') : ''
}
