import { HEADER_NAME } from '../../http/header-rules.js'
import { oncePerIn, type Remembered } from '../../lib/functions.js'
import { addExample, isObjectSchema } from '../schema/facts.js'
import type { MediaType, MediaTypes } from '../schema/media-type.js'
import { type ResolvedDocument, resolveDocument } from '../schema/resolved-document.js'
import type { DocumentOperation } from '../schema/route.js'
import type { SchemaPlace } from '../schema/schema.js'
import { FILE_TYPE } from '../words/media-types.js'
import { type PathTemplate, readPath } from './envelopes.js'
import { nameOperations, toMethodAndPath } from './names.js'

/** The methods of operations that can have a role. */
const ROLE_METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

export type Method = (typeof ROLE_METHODS)[number]

export interface PathOperation {
  readonly name: string
  /** What the document says about it, in sentences. */
  readonly description: string
  readonly parameters: readonly PlacedParameter[]
  /** Missing if it takes no body, or none that could hold a record. */
  readonly request?: Content | undefined
  /** Whether it takes a file, and whether it returns one. */
  readonly takesFile: boolean
  readonly returnsFile: boolean
  readonly successes: readonly Success[]
  /** All declared statuses, `4XX` and `default` among them. */
  readonly statuses: readonly string[]
}

export interface PlacedParameter {
  readonly name: string
  readonly in: string
  readonly schema: SchemaPlace
}

export interface Success {
  readonly status: number
  /** The names of its headers that can be sent. */
  readonly headers: readonly string[]
  readonly body?: Content | undefined
}

export interface Content {
  readonly mediaType: string
  readonly schema: SchemaPlace
}

export interface DocumentPath extends PathTemplate {
  readonly operations: Readonly<Partial<Record<Method, PathOperation>>>
}

const knownPaths: Remembered<object, readonly DocumentPath[]> = new WeakMap()

export const readPaths = (document: object) => oncePerIn(knownPaths, document, readAll)

function readAll(document: object): readonly DocumentPath[] {
  const resolved = resolveDocument(document)
  const items = Object.entries(resolved.definition.paths ?? {}) as [string, Item][]
  const names = nameOperations(Object.fromEntries(items))
  return items.map(([path, item]) => {
    const operations = ROLE_METHODS.flatMap((method) => {
      const operation = item[method]
      const name = names.get(toMethodAndPath(method, path))
      return operation && name !== undefined ? [[method, readOperation(resolved, name, item, operation)]] : []
    })
    return { ...readPath(path), operations: Object.fromEntries(operations) }
  })
}

type Described = Omit<DocumentOperation, 'path' | 'method'>

type Item = Pick<DocumentOperation, 'parameters'> & { readonly [M in Method]?: Described }

type Response = MediaTypes & { readonly headers?: object }

function readOperation(
  resolved: ResolvedDocument,
  name: string,
  item: Item,
  { parameters = [], requestBody, responses = {}, ...described }: Described,
): PathOperation {
  const { summary = '', description = '' } = described as { readonly summary?: unknown; readonly description?: unknown }
  const declared = [...(item.parameters ?? []), ...parameters] as readonly (MediaType & MediaTypes & PlacedParameter)[]
  const byPlace = new Map(
    declared.map((parameter) => {
      const [content] = Object.values(parameter.content ?? {})
      const schema = readSchema(resolved, parameter) ?? (content && readSchema(resolved, content))
      const read = { name: String(parameter.name), in: String(parameter.in), schema: schema ?? resolved.place({}) }
      return [`${read.in} ${read.name}`, read]
    }),
  )
  return {
    name,
    description: `${summary}. ${description}`,
    parameters: [...byPlace.values()],
    request: readContent(resolved, requestBody as MediaTypes | undefined),
    takesFile: hasFile(requestBody as MediaTypes | undefined),
    returnsFile: Object.entries(responses).some(
      ([status, response]) => /^2/.test(status) && hasFile(response as MediaTypes),
    ),
    successes: readSuccesses(resolved, responses as Record<string, Response>),
    statuses: Object.keys(responses),
  }
}

/** Whether a body is a file, or a form that can have one: any part of it may be a file. */
function hasFile({ content = {} }: MediaTypes = {}): boolean {
  return Object.entries(content).some(([type, { schema = {} }]) => {
    const isFile = schema.format === 'binary' || schema.contentMediaType !== undefined
    return /^multipart\//i.test(type) || isFile || (FILE_TYPE.test(type) && !isObjectSchema(schema))
  })
}

/** Without a status of a success, `default` is taken for it. */
function readSuccesses(resolved: ResolvedDocument, declared: Readonly<Record<string, Response>>): readonly Success[] {
  const responses = Object.entries(declared)
  const successes = responses.filter(([status]) => /^2(\d\d|XX)$/i.test(status))
  const taken = successes.length > 0 ? successes : responses.filter(([status]) => status === 'default')
  return taken.map(([status, response]) => ({
    status: /^\d+$/.test(status) ? Number(status) : 200,
    headers: Object.keys(response.headers ?? {}).filter((name) => HEADER_NAME.test(name)),
    body: readContent(resolved, response),
  }))
}

function readContent(resolved: ResolvedDocument, { content = {} }: MediaTypes = {}): Content | undefined {
  const [best] = Object.entries(content)
    .map(([type, media]) => ({ type, media, rank: RANKS.findIndex((pattern) => pattern.test(type)) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank)
  const schema = best && readSchema(resolved, best.media)
  return schema && { mediaType: best.type.includes('*') ? 'application/json' : best.type, schema }
}

/** The schema of a body or a parameter, which has examples beside it. Several may refer to one, and have other examples. */
function readSchema(resolved: ResolvedDocument, media: MediaType): SchemaPlace | undefined {
  const { schema, example, examples = {} } = media
  if (typeof schema !== 'object') return undefined
  if (resolved.isInside(schema, media)) addExample(schema, example ?? Object.values(examples)[0]?.value)
  return resolved.place(schema)
}

/** The media types that can hold a record, best first. */
const RANKS = [
  /^application\/json\b/i,
  /[+/]json\b/i,
  /^(\*|application)\/\*/,
  /^application\/x-www-form-urlencoded\b/i,
  /^multipart\/form-data\b/i,
]
