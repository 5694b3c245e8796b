import type { BodyReader } from '../../http/body.js'
import { isHeaderValue } from '../../http/header-rules.js'
import type { RequestHeaders } from '../../http/messages.js'
import { findDeclaredStatus } from '../../http/statuses.js'
import type { QueryValues } from '../../http/target.js'
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
import type { Parameters, PathPlace } from '../validate/parameters.js'
import {
  createParameterCache,
  type DocumentParameter,
  type Parameter,
  pathParametersOf,
  schemaOfParameter,
} from '../validate/parameters.js'
import type { Security } from '../validate/security.js'
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

export interface Operation {
  readonly id: string
  readonly path: string
  readonly pathParameters: (Parameter & PathPlace)[]
  readonly queryParameters: Parameter[]
  readParameters(
    segments: readonly string[],
    query: QueryValues,
    headers: RequestHeaders,
    keepUndeclared: boolean,
  ): Parameters
  readonly takesBody: boolean
  /** Missing if only JSON is accepted. */
  readonly readBody: BodyReader | undefined
  /** Missing if it requires no credentials. */
  readonly security: Security | undefined
  readonly needsBody: boolean
  /** Media types of its successful responses; JSON when they have no body, because its errors have one. */
  readonly offers: string[]
  /** The same with all that the document declares, of which an operation without state can send each. */
  readonly mediaTypes: string[]
  readonly markers: LifecycleExtensions
  readonly sunset: number | undefined
  /** By status, `4XX` or `default`, as the document declares them. */
  readonly responses: object
  readonly validateBody: Validate
  readonly validateParameters: Validate
  readonly responseValidators: Readonly<Record<string, Validate>>
  /** Not with path parameters: they have too many different values. */
  readonly parameterCache:
    | { get: (query: string) => Parameters | undefined; add(query: string, parameters: Parameters): void }
    | undefined
  headers(base: string): Record<string, string>
  shapeOf(status: number): ResponseShape | undefined
  /** For each media type that the response has; that of `shapeOf` is the first. */
  shapesOf(status: number): readonly ResponseShape[]
}

/** Prepares an operation of a document for handling requests. */
export function compileOperation(source: DocumentOperation, document: DocumentValidators): Operation {
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
    readBody: document.compileBodyReader?.(source),
    security: document.compileSecurity?.(source),
    needsBody: (source.requestBody as { required?: boolean } | undefined)?.required === true,
    offers: offersOf(shapes),
    mediaTypes: [...new Set([...offersOf(shapes), ...mediaTypesOf(shapes)])],
    markers,
    sunset: sunsetOf(markers),
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
    parameterCache: isDecidedByQuery ? createParameterCache() : undefined,
    headers: (base: string) => (base === '' ? atRoot : lifecycleHeaders(id, markers, base)),
    shapeOf: (status: number): ResponseShape | undefined => shapesOf(status)[0],
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
