import { isHeaderValue } from '../../http/header-rules.js'
import { findDeclaredStatus } from '../../http/statuses.js'
import { stringifyJson } from '../../lib/json.js'
import { encodePart, encodePath } from '../../lib/text.js'
import {
  isJsonMediaType,
  type MediaType,
  type MediaTypes,
  preferredMediaType,
  toConcreteType,
} from '../schema/media-type.js'
import { type DocumentOperation, operationIdOf } from '../schema/route.js'
import type { Schema } from '../schema/schema.js'
import type { DocumentValidators } from '../validate/document-validators.js'
import {
  createParameterCache,
  type DocumentParameter,
  type Parameter,
  pathParametersOf,
  schemaOfParameter,
} from '../validate/parameters.js'
import type { Validate } from '../validate/validators.js'
import { compileResponseSerializer, type Serialize } from './serialize.js'

/** How an OpenAPI document marks an operation. */
export interface LifecycleExtensions {
  readonly deprecated?: boolean
  readonly 'x-deprecated-since'?: string
  readonly 'x-deprecated-sunset'?: string
  readonly 'x-stability'?: string
}

/** `Deprecation` (RFC 9745), `Sunset` (RFC 8594), links to the reference page, and `X-Stability`. */
export function lifecycleHeaders(
  operationId: string,
  markers: LifecycleExtensions,
  base: string,
): Record<string, string> {
  const headers: Record<string, string> = {}
  const fragment = `#${encodePath(operationId)}`
  const reference = `<${base}/docs${fragment.length > MAX_FRAGMENT_LENGTH ? '' : fragment}>`
  const links: string[] = []
  if (markers.deprecated) {
    const since = markers['x-deprecated-since']
    // RFC 9745 requires a date. Without one in the document, it is 1970.
    headers.Deprecation = `@${since === undefined ? 0 : startOfDay(since) / 1000}`
    links.push(`${reference}; rel="deprecation"; type="text/html"`)
  }
  const sunset = sunsetOf(markers)
  if (sunset !== undefined) {
    headers.Sunset = new Date(sunset).toUTCString()
    links.push(`${reference}; rel="sunset"; type="text/html"`)
  }
  if (links.length > 0) headers.Link = links.join(', ')
  const stability = markers['x-stability']
  if (stability !== undefined) {
    const value = isHeaderValue(stability) ? stability : encodePart(stability)
    if (isHeaderValue(value)) headers['X-Stability'] = value
  }
  return headers
}

/** Both links have it, and clients reject large headers. */
const MAX_FRAGMENT_LENGTH = 2000

export function sunsetOf(markers: LifecycleExtensions): number | undefined {
  const day = markers.deprecated ? markers['x-deprecated-sunset'] : undefined
  return day === undefined ? undefined : startOfDay(day)
}

function startOfDay(day: string): number {
  const midnight = Date.parse(`${day}T00:00:00.000Z`)
  if (Number.isNaN(midnight))
    throw new Error(`The OpenAPI document has the lifecycle date ${day}, which is not YYYY-MM-DD.`)
  return midnight
}

/** The marks of operations that `failOn` can forbid. */
const LIFECYCLE_MARKERS = ['deprecated', 'experimental', 'alpha', 'beta'] as const

export type LifecycleMarker = (typeof LIFECYCLE_MARKERS)[number]

/** What `failOn` can forbid: marked operations, and requests that violate the contract. */
export const FORBIDDABLE = [...LIFECYCLE_MARKERS, 'violation'] as const

export type Forbiddable = (typeof FORBIDDABLE)[number]

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
    path: source.path,
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
