import { resolvePointer } from '../engine/contract/pointer.js'
import { withoutExamples } from '../engine/contract/without-examples.js'
import { MAX_CHARACTERS } from './fit.js'

type Json = Readonly<Record<string, unknown>>

export interface ServiceDocument extends Json {
  readonly info?: { readonly title?: string; readonly version?: string }
  readonly paths?: Readonly<Record<string, Json>>
}

interface NamedOperation {
  readonly operation: string
  readonly method: string
  readonly path: string
}

export function findOperation({ paths = {} }: ServiceDocument, method: string, path: string): Json {
  return toObject(paths[path]?.[method.toLowerCase()])
}

/** What somebody who calls the operation needs, without examples. Schemas refer to `schemas`. */
export function describeOperation(document: ServiceDocument, { operation, method, path }: NamedOperation): object {
  const found = findOperation(document, method, path)
  const resolve = (node: unknown): Json => {
    const { $ref } = toObject(node)
    return toObject(typeof $ref === 'string' ? resolvePointer(document, $ref) : node)
  }
  const { summary, description } = found
  const parameters = [document.paths?.[path]?.parameters, found.parameters].flat().filter(Boolean).map(resolve)
  const body = resolve(found.requestBody)
  const described = {
    operation,
    request: `${method} ${path}`,
    ...definedOf({ summary, description }),
    parameters: parameters.map(({ name, in: place, required, schema, description }) =>
      definedOf({ name, in: place, required, schema, description }),
    ),
    ...(found.requestBody !== undefined && {
      requestBody: { ...definedOf({ required: body.required }), content: schemasOf(body) },
    }),
    responses: mapValues(toObject(found.responses), (each) => {
      const response = resolve(each)
      return { ...definedOf({ description: response.description }), content: schemasOf(response) }
    }),
  }
  return { ...described, ...collectSchemas(document, described) }
}

/** By their media types. */
function schemasOf({ content }: Json): object {
  return mapValues(toObject(content), (each) => toObject(each).schema)
}

/** The schemas that are referred to, directly or by another one, as far as they fit. */
function collectSchemas(document: ServiceDocument, described: object) {
  const schemas: Record<string, unknown> = {}
  const leftOut: string[] = []
  const references = referencesIn(described)
  let size = JSON.stringify(described).length
  for (const reference of references) {
    const schema = withoutExamples(resolvePointer(document, reference))
    const schemaSize = JSON.stringify(schema)?.length ?? 0
    if (size + schemaSize > MAX_CHARACTERS) {
      leftOut.push(reference)
      continue
    }
    size += schemaSize
    schemas[reference] = schema
    // A set visits what is added on the way.
    for (const inside of referencesIn(schema)) references.add(inside)
  }
  return { schemas, ...(leftOut.length > 0 && { leftOut }) }
}

function referencesIn(node: unknown): Set<string> {
  const text = JSON.stringify(node) ?? ''
  return new Set(Array.from(text.matchAll(/"\$ref":"(#[^"\\]+)"/g), ([, reference = '']) => reference))
}

function definedOf(members: Json): Json {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined))
}

function mapValues(members: Json, change: (member: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member)]))
}

function toObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}
