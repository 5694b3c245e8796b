import { resolvePointer } from '../document/schema/pointer.js'
import { withoutExamples } from '../document/schema/without-examples.js'
import type { Json } from '../lib/values.js'
import { MAX_CHARACTERS } from './fit.js'

export interface ServiceDocument extends Json {
  readonly info?: { readonly title?: string; readonly version?: string }
  readonly paths?: Readonly<Record<string, Json>>
}

interface NamedOperation {
  readonly operation: string
  readonly method: string
  readonly path: string
}

export function findOperation(document: ServiceDocument, method: string, path: string): Json {
  return toObject(resolve(document, document.paths?.[path])[method.toLowerCase()])
}

function resolve(document: ServiceDocument, node: unknown): Json {
  const { $ref } = toObject(node)
  return toObject(typeof $ref === 'string' ? resolvePointer(document, $ref) : node)
}

/** What somebody who calls the operation needs, without examples. Schemas refer to `schemas`. */
export function describeOperation(document: ServiceDocument, { operation, method, path }: NamedOperation): object {
  const found = findOperation(document, method, path)
  const { summary, description } = found
  const inline = createFitting()
  const shared = resolve(document, document.paths?.[path]).parameters
  const parameters = [shared, found.parameters]
    .flat()
    .filter(Boolean)
    .map((each) => resolve(document, each))
  // One of the operation overrides one of the path.
  const byPlace = new Map(parameters.map((each) => [`${each.in} ${each.name}`, each]))
  const body = resolve(document, found.requestBody)
  /** By their media types. */
  const schemasOf = ({ content }: Json, place: string) =>
    mapValues(toObject(content), (each, type) => inline.fit(toObject(each).schema, `${place} ${type}`))
  const described = {
    operation,
    request: `${method} ${path}`,
    ...definedOf({ summary, description }),
    parameters: Array.from(byPlace.values(), ({ name, in: place, required, schema, description }) =>
      definedOf({ name, in: place, required, schema: inline.fit(schema, `parameter ${name}`), description }),
    ),
    ...(found.requestBody !== undefined && {
      requestBody: { ...definedOf({ required: body.required }), content: schemasOf(body, 'requestBody') },
    }),
    responses: mapValues(toObject(found.responses), (each, status) => {
      const response = resolve(document, each)
      return { ...definedOf({ description: response.description }), content: schemasOf(response, `response ${status}`) }
    }),
  }
  return { ...described, ...collectSchemas(document, described, inline.leftOut) }
}

/** Schemas without examples, as many as fit. The others are left out, by their places. */
function createFitting() {
  let left = MAX_CHARACTERS
  const leftOut: string[] = []
  return {
    leftOut,
    fit(schema: unknown, place: string): unknown {
      const clean = withoutExamples(schema)
      const size = JSON.stringify(clean)?.length ?? 0
      if (size > left) {
        leftOut.push(place)
        return undefined
      }
      left -= size
      return clean
    },
  }
}

/** The schemas that are referred to, directly or by another one, as far as they fit. */
function collectSchemas(document: ServiceDocument, described: object, leftOutInline: readonly string[]) {
  const schemas: Record<string, unknown> = {}
  const leftOut = [...leftOutInline]
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

function mapValues(members: Json, change: (member: unknown, name: string) => unknown): Json {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member, name)]))
}

function toObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}
