import type { Document, Operation } from 'openapi-backend'
import { nameOperations, toMethodAndPath } from '../resources/operation-name.js'
import { parameterNamesOf } from './path-segment.js'

/** As openapi-backend's router returns them. */
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

type Parameter = Readonly<Record<'name' | 'in', string>>

/** The operations of a document, each with a unique operationId and all its parameters. The servers of a document are ignored. */
export function flattenOperations({ paths = {}, security = [] }: Document): Operation[] {
  const names = nameOperations(paths as Parameters<typeof nameOperations>[0])
  return Object.entries(paths).flatMap(([path, item = {}]) =>
    METHODS.flatMap((method) => {
      const operation = item?.[method]
      if (typeof operation !== 'object' || operation === null) return []
      const operationId = names.get(toMethodAndPath(method, path)) as string
      const parameters = parametersOf(path, operation.parameters, item?.parameters)
      return [{ security, ...operation, operationId, path, method, parameters } as Operation]
    }),
  )
}

function parametersOf(path: string, own: unknown = [], shared: unknown = []): Parameter[] {
  const undeclared = parameterNamesOf(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const parameters = new Map<string, Parameter>()
  for (const parameter of [own, shared, undeclared].flat() as Parameter[]) {
    const key = `${parameter.in} ${parameter.name}`
    const isIgnored = parameter.in === 'header' && IGNORED_HEADERS.includes(parameter.name.toLowerCase())
    if (!isIgnored && !parameters.has(key)) parameters.set(key, parameter)
  }
  return [...parameters.values()]
}

/** OpenAPI describes these headers elsewhere: in media types and security schemes. */
const IGNORED_HEADERS = ['accept', 'content-type', 'authorization']
