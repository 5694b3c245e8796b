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
  /** The values of its parameter `sort`. */
  readonly sorts: readonly string[]
  readonly defaultSort: string
  readonly contract: Operation
}

export type Operations = Readonly<Record<OperationId, OperationInfo>>

interface Schema {
  readonly $ref?: string
  readonly items?: Schema
}

interface Source {
  readonly operationId: OperationId
  readonly tags: readonly [string]
  readonly responses: Readonly<Record<string, { content?: { 'application/json': { schema: Schema } } }>>
}

interface SourceDocument {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Source>>>>
}

/** Every operation of the OpenAPI document, in its order. */
export function readOperations(): Operations {
  const { paths, components } = openapi.document as SourceDocument
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId: id, tags, responses }]) => {
      const [success = '', response] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
      const schema = response?.content?.['application/json'].schema
      // The schema of a list may have a name of its own.
      const items = (components.schemas[nameOf(schema)] ?? schema)?.items
      const contract = storeContract().operationById(id) as Operation
      const sort = contract.queryParameters.find(({ name }) => name === 'sort')?.schema
      return {
        id,
        method: method.toUpperCase(),
        path,
        group: tags[0],
        success: Number(success),
        schema: nameOf(items ?? schema),
        isList: items !== undefined,
        sorts: sort?.enum ?? [],
        defaultSort: sort?.default,
        contract,
      }
    }),
  )
  return Object.fromEntries(all.map((each) => [each.id, each])) as unknown as Operations
}

const nameOf = (schema: Schema | undefined): string => schema?.$ref?.split('/').at(-1) ?? ''
