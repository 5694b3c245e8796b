import { stringifyJson } from '../../lib/json.js'
import { findDeclaredStatus } from './declared-status.js'
import type { DocumentValidators } from './document-validators.js'
import { type LifecycleExtensions, lifecycleHeaders, sunsetOf } from './lifecycle.js'
import { isJsonMediaType, type MediaTypes, preferredMediaType, toConcreteType } from './media-type.js'
import {
  createParameterCache,
  type DocumentParameter,
  type Parameter,
  pathParametersOf,
  schemaOfParameter,
} from './parameters.js'
import { type DocumentOperation, operationIdOf } from './route.js'
import type { Schema } from './schema.js'
import { lazySerializer, type Serialize } from './serialize.js'
import type { Validate } from './validators.js'

const JSON_TYPE = 'application/json'

export interface ResponseShape {
  readonly mediaType: string
  readonly schema: Schema
  readonly serialize: Serialize
}

export type Operation = ReturnType<typeof compileOperation>

/** Prepares an operation of a document for handling requests. */
export function compileOperation(source: DocumentOperation, document: DocumentValidators) {
  const id = operationIdOf(source)
  const validators = document.ofOperation(id)
  const markers = source as LifecycleExtensions
  const parameters = ((source.parameters ?? []) as DocumentParameter[]).map(
    (parameter): Parameter => ({ ...parameter, schema: schemaOfParameter(parameter) }),
  )
  const isDecidedByQuery = parameters.every((parameter) => parameter.in === 'query')
  const responses = source.responses ?? {}
  const shapes = compileShapes(responses as Record<string, MediaTypes>)
  const atRoot = lifecycleHeaders(id, markers, '')
  return {
    id,
    pathParameters: pathParametersOf(source.path, parameters),
    queryParameters: parameters.filter((parameter) => parameter.in === 'query'),
    readParameters: document.compileReader(source.path, parameters),
    takesBody: source.requestBody !== undefined,
    /** Missing if only JSON is accepted. */
    readBody: document.compileBodyReader?.(source),
    needsBody: (source.requestBody as { required?: boolean } | undefined)?.required === true,
    /** Media types of its successful responses; JSON when they have no body, because its errors have one. */
    offers: offersOf(shapes),
    markers,
    sunset: sunsetOf(markers),
    /** By status, `4XX` or `default`, as the document declares them. */
    responses,
    get validateBody() {
      return validators.request[0] as Validate
    },
    get validateParameters() {
      return validators.request.at(-1) as Validate
    },
    get responseValidators() {
      return validators.responses
    },
    /** Not with path parameters: they have too many different values. */
    parameterCache: isDecidedByQuery ? createParameterCache() : undefined,
    headers: (base: string) => (base === '' ? atRoot : lifecycleHeaders(id, markers, base)),
    shapeOf: (status: number) => shapes.get(String(status)) ?? shapes.get(findDeclaredStatus(responses, status) ?? ''),
  }
}

/** By the key of the response in the document. */
function compileShapes(responses: Record<string, MediaTypes>): Map<string, ResponseShape> {
  const shapes = new Map<string, ResponseShape>()
  for (const [status, response] of Object.entries(responses)) {
    const content = response?.content ?? {}
    const mediaType = preferredMediaType(Object.keys(content))
    if (mediaType === undefined) continue
    const schema = content[mediaType]?.schema ?? {}
    const serialize = isJsonMediaType(mediaType) ? lazySerializer(schema) : writeText
    shapes.set(status, { mediaType: toConcreteType(mediaType), schema, serialize })
  }
  return shapes
}

const writeText: Serialize = (value) => (typeof value === 'string' ? value : (stringifyJson(value) ?? ''))

function offersOf(shapes: ReadonlyMap<string, ResponseShape>): string[] {
  const successful = [...shapes].filter(([status]) => status.startsWith('2')).map(([, { mediaType }]) => mediaType)
  return successful.length > 0 ? successful : [JSON_TYPE]
}
