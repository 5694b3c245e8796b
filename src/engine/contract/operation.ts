import { type LifecycleExtensions, lifecycleHeaders, sunsetOf } from './lifecycle.js'
import { createParameterCache, type Parameter, type PathParameter } from './parameters.js'
import { type DocumentOperation, operationIdOf } from './route.js'
import type { Schema } from './schema.js'
import { compileSerializer, type Serialize } from './serialize.js'
import type { OperationValidators, Validate } from './validators.js'

const JSON_TYPE = 'application/json'

export interface ResponseShape {
  readonly mediaType: string
  readonly serialize: Serialize
}

export type Operation = ReturnType<typeof compileOperation>

interface MediaTypes {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

/** Prepares an operation of a document for handling requests. */
export function compileOperation(source: DocumentOperation, validators: OperationValidators) {
  const id = operationIdOf(source)
  const markers = source as LifecycleExtensions
  const parameters = (source.parameters ?? []) as unknown as Parameter[]
  const responses = source.responses ?? {}
  const shapes = compileShapes(responses as Record<string, MediaTypes>)
  const atRoot = lifecycleHeaders(id, markers, '')
  return {
    id,
    pathParameters: pathParametersOf(source.path, parameters),
    queryParameters: parameters.filter((parameter) => parameter.in === 'query'),
    takesBody: source.requestBody !== undefined,
    needsBody: (source.requestBody as { required?: boolean } | undefined)?.required === true,
    /** Media types of its successful responses; JSON when they have no body, because its errors have one. */
    offers: offersOf(shapes),
    markers,
    sunset: sunsetOf(markers),
    /** By status, or `default`, as the document declares them. */
    responses,
    validateBody: validators.request[0] as Validate,
    validateParameters: validators.request.at(-1) as Validate,
    responseValidators: validators.responses,
    /** Not with path parameters: they have too many different values. */
    parameterCache: source.path.includes('{') ? undefined : createParameterCache(),
    headers: (base: string) => (base === '' ? atRoot : lifecycleHeaders(id, markers, base)),
    shapeOf: (status: number) => shapes.get(status),
  }
}

function pathParametersOf(path: string, parameters: readonly Parameter[]): PathParameter[] {
  return path
    .split('/')
    .slice(1)
    .flatMap((segment, position) => {
      if (!segment.startsWith('{')) return []
      const name = segment.slice(1, -1)
      const parameter = parameters.find((candidate) => candidate.in === 'path' && candidate.name === name)
      if (parameter === undefined)
        throw new Error(`The path ${path} of the OpenAPI document does not declare its parameter ${name}.`)
      return [{ ...parameter, position }]
    })
}

function compileShapes(responses: Record<string, MediaTypes>): Map<number, ResponseShape> {
  const shapes = new Map<number, ResponseShape>()
  for (const [status, { content = {} }] of Object.entries(responses)) {
    const [mediaType, media] = Object.entries(content)[0] ?? []
    if (mediaType === undefined) continue
    const schema = media?.schema ?? {}
    const serialize = mediaType === JSON_TYPE ? compileSerializer(schema) : String
    shapes.set(Number(status), { mediaType, serialize })
  }
  return shapes
}

function offersOf(shapes: ReadonlyMap<number, ResponseShape>): string[] {
  const successful = [...shapes]
    .filter(([status]) => status >= 200 && status < 300)
    .map(([, { mediaType }]) => mediaType)
  return successful.length > 0 ? successful : [JSON_TYPE]
}
