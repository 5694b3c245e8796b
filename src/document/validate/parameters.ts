import { ApiError, STATUS_BY_CODE } from '../../http/errors.js'
import type { RequestHeaders } from '../../http/messages.js'
import type { QueryValues } from '../../http/target.js'
import { parseId, toJsonInt64 } from '../../lib/int64.js'
import { escapeToken } from '../../lib/json-pointer.js'
import { setMember } from '../../lib/values.js'
import type { MediaTypes } from '../schema/media-type.js'
import { compileSegment, isWholeParameter, parameterNamesOf } from '../schema/route.js'
import type { Schema } from '../schema/schema.js'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required?: boolean
  readonly schema: Schema
}

/** A parameter as a document may declare it. */
export interface DocumentParameter extends Omit<Parameter, 'schema'>, MediaTypes {
  readonly schema?: Schema
  readonly style?: string
  readonly explode?: boolean
  readonly allowEmptyValue?: boolean
}

/** Where a path has a parameter. */
export interface PathPlace {
  /** Of its segment in the path. */
  readonly position: number
  /** Its part of the segment, if it is not all of it. */
  readonly part?: { readonly read: (segment: string) => readonly string[] | undefined; readonly index: number }
}

export type PathParameter = Parameter & PathPlace

export interface Parameters {
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** Missing if the operation declares none. The names are in lower case. */
  readonly header?: Readonly<Record<string, unknown>>
  /** Missing if the operation declares none. */
  readonly cookie?: Readonly<Record<string, unknown>>
}

/** The segments are decoded, and match the path of the operation. */
export type ParameterReader = (
  segments: readonly string[],
  query: QueryValues,
  headers: RequestHeaders,
  keepUndeclared: boolean,
) => Parameters

/** Reads parameters in the default style, which are in the path and in the query only. */
export function compileSimpleReader(path: string, parameters: readonly Parameter[]): ParameterReader {
  const inPath = pathParametersOf(path, parameters)
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  return (segments, query, _, keepUndeclared) => ({
    path: readPath(inPath, segments),
    query: readQuery(inQuery, query, keepUndeclared),
  })
}

export function pathParametersOf<P extends Omit<Parameter, 'schema'>>(
  path: string,
  parameters: readonly P[],
): (P & PathPlace)[] {
  const declared = parameters.filter((parameter) => parameter.in === 'path')
  return path
    .split('/')
    .slice(1)
    .flatMap((segment, position) => {
      const read = isWholeParameter(segment) ? undefined : compileSegment(segment)
      return parameterNamesOf(segment).flatMap((name, index) => {
        const parameter = declared.find((candidate) => candidate.name === name)
        return parameter ? [{ ...parameter, position, ...(read && { part: { read, index } }) }] : []
      })
    })
}

/** What a parameter of the document must be: it has a schema, or a media type with one, or neither. */
export function schemaOfParameter({ schema, content }: DocumentParameter): Schema {
  return schema ?? Object.values(content ?? {})[0]?.schema ?? {}
}

/** Converts text to the type of its schema. Text that cannot be converted stays as it is, and validation rejects it. */
export function readText(text: string, schema: Schema): unknown {
  if (schema.int64) {
    const id = parseId(text)
    return id === undefined ? text : toJsonInt64(id)
  }
  if (schema.type === 'integer') return isCanonicalInteger(text) ? Number(text) : text
  if (schema.type === 'boolean') return text === 'true' || text === 'false' ? text === 'true' : text
  return text
}

function isCanonicalInteger(text: string): boolean {
  return parseId(text) !== undefined && Number.isSafeInteger(Number(text))
}

/** The segments are decoded, and match the path of the operation. */
export function readPath(declared: readonly PathParameter[], segments: readonly string[]): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const parameter of declared)
    values[parameter.name] = readText(textOfSegment(parameter, segments), parameter.schema)
  return values
}

export function textOfSegment({ position, part }: PathPlace, segments: readonly string[]): string {
  const segment = segments[position] ?? ''
  return part === undefined ? segment : (part.read(segment)?.[part.index] ?? '')
}

/** The declared parameters with defaults applied. Undeclared ones are kept if validation has to reject them. */
export function readQuery(
  declared: readonly Parameter[],
  given: QueryValues,
  keepUndeclared: boolean,
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const { name, schema } of declared) {
    const texts = given.get(name)
    if (texts === undefined) {
      if (schema.default !== undefined) values[name] = schema.default
    } else {
      values[name] = readQueryValue(name, texts, schema)
    }
  }
  if (keepUndeclared) {
    const names = new Set(declared.map(({ name }) => name))
    for (const name of given.keys()) if (!names.has(name)) setMember(values, name, '')
  }
  return values
}

function readQueryValue(name: string, texts: readonly string[], schema: Schema): unknown {
  if (schema.type === 'array') {
    const items = schema.items ?? {}
    return texts.map((text) => readText(text, items))
  }
  return readText(requireOnce('query', name, texts), schema)
}

export function requireOnce(place: string, name: string, texts: readonly string[]): string {
  const [text = ''] = texts
  if (texts.length === 1) return text
  const message = `${place} parameter ${name} must be given once, but is given ${texts.length} times`
  throw new ApiError(STATUS_BY_CODE.INVALID_REQUEST, 'INVALID_REQUEST', message, {
    pointers: [`/${place}/${escapeToken(name)}`],
  })
}

const MAX_CACHED = 64
const MAX_CACHED_LENGTH = 200

/** The validated parameters of recent query strings: clients send the same few again and again. */
export function createParameterCache() {
  const entries = new Map<string, Parameters>()
  return {
    get: (query: string) => entries.get(query),
    add(query: string, parameters: Parameters): void {
      if (query.length > MAX_CACHED_LENGTH) return
      if (entries.size >= MAX_CACHED) entries.clear()
      entries.set(query, freeze(parameters))
    },
  }
}

/** Requests share cached parameters. */
function freeze({ path, query }: Parameters): Parameters {
  for (const value of Object.values(query)) if (Array.isArray(value)) Object.freeze(value)
  return Object.freeze({ path: Object.freeze(path), query: Object.freeze(query) })
}
