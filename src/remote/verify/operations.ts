import type { Operation } from '../../engine/contract/operation.js'
import { createDocumentReader, type DocumentReader } from '../../engine/resources/document-reader.js'
import { readPaths } from '../../engine/resources/read-operations.js'
import type { ResourceOperation, Role } from '../../engine/resources/resource.js'
import type { ServiceResource } from '../../engine/resources/service-resource.js'
import type { CheckedService } from './checked-service.js'

/** What a client needs to know of an operation to call it and to compare its responses. */
export interface OperationInfo {
  readonly id: string
  /** In upper case. */
  readonly method: string
  /** With its parameters in braces. */
  readonly path: string
  /** The tag it belongs to. */
  readonly group: string
  /** The status of a success. */
  readonly success: number
  /** The headers that the document declares for a success. */
  readonly headers: readonly string[]
  /** The schema of a successful response (of an item, for a list) as a JSON pointer; empty if it has no body. */
  readonly schema: string
  /** The same of an error. */
  readonly errorSchema: string
  /** Where a successful response has the record or the list. */
  readonly envelope: readonly string[]
  /** The resource that it belongs to, and what it does to its records. */
  readonly resource?: ServiceResource | undefined
  readonly role?: Role | undefined
  /** The resource whose record the first parameter of the path names. */
  readonly owner?: ServiceResource | undefined
  readonly isList: boolean
  /** The values of the parameter that a list is sorted by. */
  readonly sorts: readonly string[]
  readonly defaultSort?: string | undefined
  readonly contract: Operation
}

/** A list of a resource that is not nested in another. */
export interface ListOperation extends OperationInfo {
  readonly resource: ServiceResource
}

export const isListOperation = (operation: OperationInfo): operation is ListOperation =>
  operation.isList && operation.resource?.parents.length === 0

export type Operations = Readonly<Record<string, OperationInfo>>

/** Every operation of the OpenAPI document, in its order. */
export function readOperations({ document, contract, resources }: CheckedService): Operations {
  const reader = createDocumentReader(document)
  const all = readPaths(reader).flatMap(({ path, operations }) =>
    Object.entries(operations).map(([method, { name: id, successes, parameters }]): [string, OperationInfo] => {
      const { resource, role, operation } = findRole(resources, id)
      const [success] = successes
      const sort = parameters.find(({ name }) => role === 'list' && name === resource?.list?.sort)?.schema.schema
      const item = path.slice(0, path.indexOf('}') + 1)
      const info: OperationInfo = {
        id,
        method: method.toUpperCase(),
        path,
        group: groupOf(reader, path, method),
        success: success?.status ?? 200,
        headers: success?.headers ?? [],
        schema: success?.body === undefined ? '' : (resource?.record ?? success.body.schema).pointer,
        errorSchema: errorSchemaOf(reader, path, method),
        envelope: operation?.response?.envelope ?? [],
        resource,
        role,
        owner: resources.find(({ itemPath }) => itemPath === item),
        isList: role === 'list',
        sorts: (sort?.enum ?? []) as readonly string[],
        defaultSort: sort?.default as string | undefined,
        contract: contract.operationById(id) as Operation,
      }
      return [id, info]
    }),
  )
  return Object.fromEntries(all)
}

interface FoundRole {
  readonly resource?: ServiceResource
  readonly role?: Role
  readonly operation?: ResourceOperation
}

function findRole(resources: readonly ServiceResource[], id: string): FoundRole {
  for (const resource of resources) {
    for (const [role, operation] of Object.entries(resource.operations)) {
      if (operation.operationId === id) return { resource, role: role as Role, operation }
    }
  }
  return {}
}

function groupOf(reader: DocumentReader, path: string, method: string): string {
  const tags = reader.find(reader.root, 'paths', path, method)?.value.tags
  return String((Array.isArray(tags) ? tags[0] : undefined) ?? path.split('/')[1])
}

function errorSchemaOf(reader: DocumentReader, path: string, method: string): string {
  const responses = reader.children(reader.find(reader.root, 'paths', path, method, 'responses'))
  const contents = [...responses]
    .filter(([status]) => /^(?:[45]|default)/.test(status))
    .flatMap(([, response]) => [...reader.children(reader.find(response, 'content')).values()])
  return contents.map((content) => reader.schema(content, 'schema')?.pointer).find((each) => each !== undefined) ?? ''
}
