import type { Document, Operation } from 'openapi-backend'
import { nameOperations, toMethodAndPath } from '../resources/operation-name.js'
import { parameterNamesOf } from './path-segment.js'

/** As openapi-backend's router returns them. */
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

type Parameter = Readonly<Record<'name' | 'in', string>>

/** The operations of a document, each with a unique operationId and all its parameters. The servers of a document are ignored. */
export function flattenOperations({ paths = {}, security = [], components }: Document): Operation[] {
  const names = nameOperations(paths as Parameters<typeof nameOperations>[0])
  return Object.entries(paths).flatMap(([path, item = {}]) =>
    METHODS.flatMap((method) => {
      const operation = item?.[method]
      if (typeof operation !== 'object' || operation === null) return []
      const operationId = names.get(toMethodAndPath(method, path)) as string
      const secured = { security, ...operation }
      const keys = keysInQuery(secured.security ?? [], components?.securitySchemes)
      const parameters = parametersOf(path, operation.parameters, item?.parameters, keys)
      return [{ ...secured, operationId, path, method, parameters } as Operation]
    }),
  )
}

/** The keys of security schemes that are query parameters. A client may send one twice: once for a parameter that is one, too. */
function keysInQuery(security: readonly object[], schemes: object = {}): Parameter[] {
  const named = security.flatMap(Object.keys).map((name) => (schemes as Record<string, Parameter | undefined>)[name])
  return named.flatMap((scheme) =>
    scheme?.in === 'query' ? [{ name: scheme.name, in: 'query', schema: { type: 'array' } }] : [],
  )
}

function parametersOf(path: string, own: unknown = [], shared: unknown = [], keys: Parameter[] = []): Parameter[] {
  const undeclared = parameterNamesOf(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const parameters = new Map<string, Parameter>()
  for (const parameter of [own, shared, undeclared, keys].flat() as Parameter[]) {
    const key = `${parameter.in} ${parameter.name}`
    const isIgnored = parameter.in === 'header' && IGNORED_HEADERS.includes(parameter.name.toLowerCase())
    if (!isIgnored && !parameters.has(key)) parameters.set(key, parameter)
  }
  return [...parameters.values()]
}

/** OpenAPI describes these headers elsewhere: in media types and security schemes. */
const IGNORED_HEADERS = ['accept', 'content-type', 'authorization']
