import { HEADER_NAME } from '../../http/header-rules.js'
import { oncePer } from '../../lib/functions.js'
import { createDocumentReader, type DocumentReader, type Node } from './document-reader.js'
import { type PathTemplate, readPath } from './envelopes.js'
import { nameOperations, toMethodAndPath } from './names.js'
import type { SchemaPlace } from './resource.js'

/** The methods of operations that can have a role. */
const ROLE_METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

export type Method = (typeof ROLE_METHODS)[number]

export interface PathOperation {
  readonly name: string
  readonly parameters: readonly PlacedParameter[]
  /** Missing if it takes no body, or none that could hold a record. */
  readonly request?: Content | undefined
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

/** A document is read once: its schemas are the same objects in everything that is made from them. */
export const readerOf = oncePer((document: object) => createDocumentReader(document))

export const readPaths = oncePer((document: object): readonly DocumentPath[] => {
  const reader = readerOf(document)
  const items = reader.children(reader.find(reader.root, 'paths'))
  const names = nameOperations(Object.fromEntries([...items].map(([path, item]) => [path, item.value])))
  return [...items].map(([path, item]) => {
    const operations = ROLE_METHODS.flatMap((method) => {
      const operation = reader.find(item, method)
      const name = names.get(toMethodAndPath(method, path))
      return operation && name !== undefined ? [[method, readOperation(reader, name, item, operation)]] : []
    })
    return { ...readPath(path), operations: Object.fromEntries(operations) }
  })
})

function readOperation(reader: DocumentReader, name: string, item: Node, operation: Node): PathOperation {
  const parameters = new Map(
    [item, operation]
      .flatMap((node) => [...reader.children(reader.find(node, 'parameters')).values()])
      .map((node) => readParameter(reader, node))
      .map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]),
  )
  return {
    name,
    parameters: [...parameters.values()],
    request: readContent(reader, reader.find(operation, 'requestBody')),
    successes: readSuccesses(reader, operation),
    statuses: [...reader.children(reader.find(operation, 'responses')).keys()],
  }
}

function readParameter(reader: DocumentReader, node: Node): PlacedParameter {
  const [content] = reader.children(reader.find(node, 'content')).values()
  const schema = reader.schema(node, 'schema') ?? (content && reader.schema(content, 'schema'))
  return { name: String(node.value.name), in: String(node.value.in), schema: schema ?? reader.place({}) }
}

/** Without a status of a success, `default` is taken for it. */
function readSuccesses(reader: DocumentReader, operation: Node): readonly Success[] {
  const responses = [...reader.children(reader.find(operation, 'responses'))]
  const successes = responses.filter(([status]) => /^2(\d\d|XX)$/i.test(status))
  const taken = successes.length > 0 ? successes : responses.filter(([status]) => status === 'default')
  return taken.map(([status, response]) => ({
    status: /^\d+$/.test(status) ? Number(status) : 200,
    headers: [...reader.children(reader.find(response, 'headers')).keys()].filter((name) => HEADER_NAME.test(name)),
    body: readContent(reader, response),
  }))
}

function readContent(reader: DocumentReader, node: Node | undefined): Content | undefined {
  const types = [...reader.children(node && reader.find(node, 'content'))]
  const [best] = types
    .map(([type, content]) => ({ type, content, rank: RANKS.findIndex((pattern) => pattern.test(type)) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank)
  const schema = best && reader.schema(best.content, 'schema')
  return schema && { mediaType: best.type.includes('*') ? 'application/json' : best.type, schema }
}

/** The media types that can hold a record, best first. */
const RANKS = [
  /^application\/json\b/i,
  /[+/]json\b/i,
  /^(\*|application)\/\*/,
  /^application\/x-www-form-urlencoded\b/i,
  /^multipart\/form-data\b/i,
]
