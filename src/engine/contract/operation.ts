import { stringifyJson } from '../../lib/json.js'
import { findDeclaredStatus } from './declared-status.js'
import type { DocumentValidators } from './document-validators.js'
import { type LifecycleExtensions, lifecycleHeaders, sunsetOf } from './lifecycle.js'
import { isJsonMediaType, type MediaType, type MediaTypes, preferredMediaType, toConcreteType } from './media-type.js'
import {
  createParameterCache,
  type DocumentParameter,
  type Parameter,
  pathParametersOf,
  schemaOfParameter,
} from './parameters.js'
import { type DocumentOperation, operationIdOf } from './route.js'
import type { Schema } from './schema.js'
import { compileResponseSerializer, type Serialize } from './serialize.js'
import type { Validate } from './validators.js'

const JSON_TYPE = 'application/json'

export interface ResponseShape {
  readonly mediaType: string
  readonly schema: Schema
  /** What the document says about the media type, with its examples. */
  readonly media: MediaType
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
  const shapesOf = (status: number) =>
    shapes.get(String(status)) ?? shapes.get(findDeclaredStatus(responses, status) ?? '') ?? []
  const atRoot = lifecycleHeaders(id, markers, '')
  return {
    id,
    pathParameters: pathParametersOf(source.path, parameters),
    queryParameters: parameters.filter((parameter) => parameter.in === 'query'),
    readParameters: document.compileReader(source.path, parameters),
    takesBody: source.requestBody !== undefined,
    /** Missing if only JSON is accepted. */
    readBody: document.compileBodyReader?.(source),
    /** Missing if it requires no credentials. */
    security: document.compileSecurity?.(source),
    needsBody: (source.requestBody as { required?: boolean } | undefined)?.required === true,
    /** Media types of its successful responses; JSON when they have no body, because its errors have one. */
    offers: offersOf(shapes),
    /** The same with all that the document declares, of which an operation without state can send each. */
    mediaTypes: [...new Set([...offersOf(shapes), ...mediaTypesOf(shapes)])],
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
    shapeOf: (status: number): ResponseShape | undefined => shapesOf(status)[0],
    /** For each media type that the response has; that of `shapeOf` is the first. */
    shapesOf,
  }
}

/** By the key of the response in the document. The preferred media type of each is the first. */
export function compileShapes(responses: Record<string, MediaTypes>): Map<string, readonly ResponseShape[]> {
  const shapes = new Map<string, readonly ResponseShape[]>()
  for (const [status, response] of Object.entries(responses)) {
    const content = response?.content ?? {}
    const mediaTypes = Object.keys(content)
    const preferred = preferredMediaType(mediaTypes)
    if (preferred === undefined) continue
    const ordered = [preferred, ...mediaTypes.filter((mediaType) => mediaType !== preferred)]
    shapes.set(
      status,
      ordered.map((mediaType) => toShape(mediaType, content[mediaType] ?? {})),
    )
  }
  return shapes
}

function toShape(mediaType: string, media: MediaType): ResponseShape {
  const { schema = {} } = media
  const serialize = isJsonMediaType(mediaType) ? compileResponseSerializer(schema) : writeText
  return { mediaType: toConcreteType(mediaType), schema, media, serialize }
}

const writeText: Serialize = (value) => (typeof value === 'string' ? value : (stringifyJson(value) ?? ''))

function mediaTypesOf(shapes: ReadonlyMap<string, readonly ResponseShape[]>): string[] {
  const successful = [...shapes].filter(([status]) => /^[23d]/.test(status))
  return successful.flatMap(([, declared]) => declared.map(({ mediaType }) => mediaType))
}

function offersOf(shapes: ReadonlyMap<string, readonly ResponseShape[]>): string[] {
  const successful = [...shapes].flatMap(([status, [shape]]) =>
    status.startsWith('2') && shape !== undefined ? [shape.mediaType] : [],
  )
  return successful.length > 0 ? successful : [JSON_TYPE]
}
