import type { Operation } from '../engine/contract/operation.js'
import { storeContract } from '../petstore/contract.js'
import { openapi } from '../petstore/documents.js'
import type { OperationId } from '../petstore/types.js'

/** What a client needs to know of an operation to call it and to compare its responses. */
export interface OperationInfo {
  readonly id: OperationId
  /** In upper case. */
  readonly method: string
  /** With its parameter, if any, in braces. */
  readonly path: string
  /** The tag it belongs to. */
  readonly group: string
  /** The status of a success. */
  readonly success: number
  /** The schema of a successful response (of an item, for a list); empty if it has no body. */
  readonly schema: string
  readonly isList: boolean
  readonly takesBody: boolean
  /** The values of its parameter `sort`. */
  readonly sorts: readonly string[]
  readonly defaultSort: string
  readonly contract: Operation
}

export type Operations = Readonly<Record<OperationId, OperationInfo>>

interface SourceSchema {
  readonly $ref?: string
  readonly type?: string
  readonly items?: SourceSchema
}

interface SourceOperation {
  readonly operationId: OperationId
  readonly tags: readonly string[]
  readonly responses: Readonly<Record<string, { content?: Record<string, { schema: SourceSchema }> }>>
}

interface SourceDocument {
  readonly components: { readonly schemas: Readonly<Record<string, SourceSchema>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, SourceOperation>>>>
}

type Schemas = SourceDocument['components']['schemas']

/** Every operation of the OpenAPI document, in its order. */
export function readOperations(): Operations {
  const { paths, components } = openapi.document as SourceDocument
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, source]) => toInfo(path, method.toUpperCase(), source, components.schemas)),
  )
  return Object.fromEntries(all.map((each) => [each.id, each])) as Operations
}

function toInfo(path: string, method: string, source: SourceOperation, schemas: Schemas): OperationInfo {
  const { operationId: id, tags, responses } = source
  const [status = '', response] = Object.entries(responses).find(([each]) => each.startsWith('2')) ?? []
  const schema = response?.content?.['application/json']?.schema
  const contract = storeContract().operationById(id) as Operation
  const sort = contract.queryParameters.find(({ name }) => name === 'sort')?.schema
  // The schema of a list may have a name of its own.
  const items = (schema?.$ref === undefined ? schema : schemas[nameOf(schema)])?.items
  return {
    id,
    method,
    path,
    group: tags[0] ?? '',
    success: Number(status),
    schema: nameOf(items ?? schema),
    isList: items !== undefined,
    takesBody: contract.takesBody,
    sorts: (sort?.enum ?? []) as readonly string[],
    defaultSort: String(sort?.default ?? ''),
    contract,
  }
}

const nameOf = (schema: SourceSchema | undefined): string => schema?.$ref?.split('/').at(-1) ?? ''

/** The operations of each path of the document. */
export function groupByPath(operations: Operations): OperationInfo[][] {
  const paths = new Map<string, OperationInfo[]>()
  for (const each of Object.values(operations)) paths.set(each.path, [...(paths.get(each.path) ?? []), each])
  return [...paths.values()]
}

/** The methods that a path with these operations allows. */
export function allowedMethods(operations: readonly OperationInfo[]): string[] {
  return [...operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS']
}
