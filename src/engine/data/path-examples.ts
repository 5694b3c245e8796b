import type { Contract } from '../contract/contract.js'
import type { ServiceResource } from '../resources/service-resource.js'
import { conforms } from './conforms.js'
import type { AnySchema } from './json-schema.js'
import { type PathIds, toReference } from './plan-records.js'
import { readPattern } from './sample-pattern.js'

/** A parameter of a path, as the operations of a resource declare it. */
interface DeclaredParameter {
  readonly name: string
  readonly in: string
  readonly schema?: AnySchema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value?: unknown } | undefined>>
}

/** A parameter of the path of a resource, as each of its operations declares it. */
export function findParameters(contract: Contract, { operations }: ServiceResource, name: string): DeclaredParameter[] {
  return Object.values(operations).flatMap((operation) => {
    const declared = contract.declaredParameters(operation.operationId) as readonly DeclaredParameter[]
    return declared.filter((parameter) => parameter.in === 'path' && parameter.name === name)
  })
}

/** How many steps the check of an example may take. */
const MAX_STEPS = 1000

export function createPathIds(contract: Contract): PathIds {
  const parametersOf = (resource: ServiceResource) =>
    resource.id.parameter === undefined ? [] : findParameters(contract, resource, resource.id.parameter)

  return {
    /** None where clients choose ids: the document's example of a request to create a record would be a conflict. */
    examples(resource, idSchema) {
      const { id, ids, operations } = resource
      if (id.isChosen && operations.create) return []
      return parametersOf(resource).flatMap((parameter) =>
        examplesOf(parameter).flatMap((example) => {
          const read = ids.read(example) ?? ids.read(String(example))
          if (read === undefined) return []
          const value = toReference(ids.toJson(read), idSchema)
          const check = { left: MAX_STEPS, hidden: 'writeOnly', patternOf: readPattern } as const
          return conforms(idSchema as AnySchema, value, check) ? [read] : []
        }),
      )
    },
    listed: (resource) =>
      parametersOf(resource).flatMap(({ schema }) =>
        typeof schema === 'object' && schema.enum ? [schema.enum] : [],
      )[0],
  }
}

function examplesOf({ example, examples, schema }: DeclaredParameter): unknown[] {
  const inSchema = typeof schema === 'object' ? [schema.example, schema.examples].flat() : []
  const named = Object.values(examples ?? {}).map((each) => each?.value)
  return [example, ...named, ...inSchema].filter((value) => value !== undefined)
}
