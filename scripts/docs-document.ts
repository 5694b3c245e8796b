import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'

/** The parts of an OpenAPI document that the generated pages use. */
export interface Document {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
}

export interface DocumentedOperation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly deprecated?: boolean
  readonly 'x-stability'?: string
  readonly 'x-deprecated-sunset'?: string
  readonly parameters?: readonly Reference<Parameter>[]
  readonly requestBody?: { readonly description: string; readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Reference<{ readonly description: string }>>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly description: string
  readonly example?: unknown
  readonly schema: Reference<Schema>
}

export interface Schema {
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Reference<Schema>>>
  readonly items?: Reference<Schema>
  readonly oneOf?: readonly Reference<Schema>[]
  readonly 'x-in-words'?: string
}

type Content = Readonly<
  Record<
    string,
    {
      readonly schema: Reference<Schema>
      readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>
    }
  >
>

/** An object, or a reference to one. */
export type Reference<Target> = Target | { readonly $ref: string }

/** An operation with its method and path. */
export interface Route extends DocumentedOperation {
  readonly method: string
  readonly path: string
}

export async function readDocument(name: string): Promise<Document> {
  return parse(await readFile(new URL(`../spec/${name}.yaml`, import.meta.url), 'utf8'))
}

/** In the order of the document. */
export function routesOf({ paths }: Document): Route[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )
}

/** Resolves a reference. */
export function follow<Target extends object>(document: Document, thing: Reference<Target>): Target {
  if (!('$ref' in thing)) return thing
  const steps = thing.$ref.split('/').slice(1)
  return steps.reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], document) as Target
}
