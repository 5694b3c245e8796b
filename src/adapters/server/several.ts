import { render, toErrorOutcome } from '../../document/contract/error-drafts.js'
import { version } from '../../generated/lib/version.js'
import { apiError, MockError } from '../../http/errors.js'
import type { Outcome, PlainRequest } from '../../http/messages.js'
import { prefers } from '../../http/negotiation.js'
import { quote } from '../../lib/text.js'
import type { Exchange } from './exchange.js'
import { redirect } from './pages.js'
import type { Served } from './served.js'

/** The first segment of other paths. */
const RESERVED = ['docs', 'sandbox']

/** Throws INVALID_OPTION if a path cannot start with this name. */
export function checkServiceName(name: string): void {
  if (/^[a-z\d][\w.-]{0,63}$/i.test(name) && !RESERVED.includes(name)) return
  const expected = 'letters, digits, ".", "_" and "-", starts with a letter or a digit, and is not "docs" or "sandbox"'
  const message = `${quote(name)} cannot be the name of a service. A name has up to 64 ${expected}.`
  throw new MockError('INVALID_OPTION', message, { option: 'services' })
}

/** The exchange of the only service, or one that chooses between those of several by the first segment of the path. */
export function switchBetween(services: readonly Served[], toExchange: (served: Served) => Exchange): Exchange {
  const [first, ...others] = services as [Served, ...Served[]]
  if (first.name === undefined) return toExchange(first)
  const exchanges = new Map(services.map((each) => [each.name, toExchange(each)]))
  const index = toExchange(createIndex(first, others))
  return (request, response, ended) => {
    const [, name = ''] = /^(?:https?:\/\/[^/?#]*)?\/([^/?#]*)/i.exec(request.url ?? '') ?? []
    const exchange = exchanges.get(name) ?? index
    exchange(request, response, ended)
  }
}

/** What is at the root of a server with several services: a list of them. */
function createIndex(first: Served, others: readonly Served[]): Served {
  const services = [first, ...others]

  function handle({ method, path, base }: PlainRequest): Outcome {
    if (path !== '/' && path !== '/__admin/health') return toErrorOutcome(unknownPath(path), method)
    if (method === 'OPTIONS') return respond(method, 204)
    if (method !== 'GET' && method !== 'HEAD') {
      const message = `${method.slice(0, 20)} is not allowed on the list of services. Allowed: ${ALLOW}.`
      return toErrorOutcome(apiError('METHOD_NOT_ALLOWED', message, { Allow: ALLOW }), method)
    }
    const list = services.map(({ name, title, path: below }) => ({ name, title, path: base + below }))
    return respond(method, 200, path === '/' ? { services: list } : { status: 'ok', version, services: list })
  }

  function unknownPath(path: string) {
    const paths = services.map((service) => service.path).join(', ')
    const message = `No service at "${path.slice(0, 100)}". This server has several, each at its own path: ${paths}.`
    return apiError('ROUTE_NOT_FOUND', message)
  }

  return {
    ...first,
    name: undefined,
    path: '',
    mock: { handle, options: first.mock.options },
    keyNames: {
      headers: services.flatMap(({ keyNames }) => keyNames.headers),
      query: services.flatMap(({ keyNames }) => keyNames.query),
    },
    // The dashboard of each service leads to those of the others.
    pages({ method, path, base, headers }) {
      const isPage = DASHBOARD.includes(path) || (path === '/' && prefers(headers.accept, 'text/html'))
      return isPage && (method === 'GET' || method === 'HEAD')
        ? redirect(302, `${base}${first.path}/__admin/`)
        : undefined
    },
    mcp: () => undefined,
  }
}

const DASHBOARD = ['/__admin', '/__admin/']

const ALLOW = 'GET, HEAD, OPTIONS'

function respond(method: string, status: number, body?: object): Outcome {
  const content = body === undefined ? { headers: { Allow: ALLOW } } : { body: JSON.stringify(body), headers: {} }
  const draft = { status, ...content, ...(body && { mediaType: 'application/json' }) }
  return { response: render({ method, base: '' }, undefined, draft), trace: {} }
}
