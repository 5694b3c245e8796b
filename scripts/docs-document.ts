import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'

/** As much of an OpenAPI document as the pages tell of. */
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

/** What stands there, or where it stands. */
export type Reference<Thing> = Thing | { readonly $ref: string }

/** An operation and how it is reached. */
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

/** The thing itself. */
export function follow<Thing extends object>(document: Document, thing: Reference<Thing>): Thing {
  if (!('$ref' in thing)) return thing
  const steps = thing.$ref.split('/').slice(1)
  return steps.reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], document) as Thing
}
