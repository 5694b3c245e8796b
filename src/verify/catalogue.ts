import type { Operation } from '../engine/contract/operation.js'
import type { StoreOperationId } from '../engine/contract/types.js'
import { storeContract } from '../petstore/contract.js'
import { openapi } from '../petstore/served-documents.js'

/** An operation of the document, in the parts that a client needs to ask for it and to judge what comes back. */
export interface Described {
  readonly id: StoreOperationId
  /** In upper case. */
  readonly method: string
  /** With its parameter, if it has one, in braces. */
  readonly path: string
  /** The navigation group it belongs to. */
  readonly group: string
  /** The status of its success. */
  readonly success: number
  /** The schema of what its success answers with: of an item where that is a list; empty where there is none. */
  readonly schema: string
  readonly isList: boolean
  readonly takesBody: boolean
  /** What the list is sorted by unless told otherwise. */
  readonly defaultSort: string | undefined
  readonly contract: Operation
}

interface SourceSchema {
  readonly $ref?: string
  readonly type?: string
  readonly items?: SourceSchema
}

interface SourceOperation {
  readonly operationId: StoreOperationId
  readonly tags: readonly string[]
  readonly responses: Readonly<Record<string, { content?: Record<string, { schema: SourceSchema }> }>>
}

interface Source {
  readonly components: { readonly schemas: Readonly<Record<string, SourceSchema>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, SourceOperation>>>>
}

type Schemas = Source['components']['schemas']

const nameOf = (schema: SourceSchema | undefined): string => schema?.$ref?.split('/').at(-1) ?? ''

export type Catalogue = ReadonlyMap<StoreOperationId, Described>

/** Every operation of the document, in its order. */
export function readCatalogue(): Catalogue {
  const { paths, components } = openapi.document as Source
  const described = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, source]) => describe(path, method.toUpperCase(), source, components.schemas)),
  )
  return new Map(described.map((each) => [each.id, each]))
}

function describe(path: string, method: string, source: SourceOperation, schemas: Schemas): Described {
  const { operationId: id, tags, responses } = source
  const [status = '', response] = Object.entries(responses).find(([each]) => each.startsWith('2')) ?? []
  const schema = response?.content?.['application/json']?.schema
  const contract = storeContract().operationById(id) as Operation
  const sort = contract.queryParameters.find(({ name }) => name === 'sort')
  // A list may be a schema of its own.
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
    defaultSort: sort?.schema.default as string | undefined,
    contract,
  }
}

/** Every path of the document, with the operations it offers. */
export function pathsOf(catalogue: Catalogue): ReadonlyMap<string, readonly Described[]> {
  const paths = new Map<string, Described[]>()
  for (const each of catalogue.values()) paths.set(each.path, [...(paths.get(each.path) ?? []), each])
  return paths
}

/** The methods that a path takes. */
export function methodsOf(operations: readonly Described[]): string[] {
  const methods = operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return [...methods, 'OPTIONS']
}
