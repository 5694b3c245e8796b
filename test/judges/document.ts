import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { ROOT } from './tools.js'

export const SPEC = join(ROOT, 'spec/openapi.yaml')
const METHODS = ['get', 'put', 'post', 'delete', 'patch']

/** The parts of an operation that the judges use. */
export interface Operation {
  readonly id: string
  readonly method: string
  /** With its parameters in braces. */
  readonly path: string
  /** The statuses that the document declares, without `default`. */
  readonly statuses: readonly number[]
  /** The name of the schema of its body, if it has one. */
  readonly body: string | undefined
}

interface Described {
  readonly operationId: string
  readonly requestBody?: { readonly content: Record<string, { readonly schema: { readonly $ref: string } }> }
  readonly responses: Record<string, unknown>
}

/** Reads the operations from the document itself, so that a new one cannot be forgotten. */
export function readOperations(): readonly Operation[] {
  const { paths } = parse(readFileSync(SPEC, 'utf8')) as { paths: Record<string, Record<string, Described>> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, { operationId, requestBody, responses }]) => ({
        id: operationId,
        method: method.toUpperCase(),
        path,
        statuses: Object.keys(responses).map(Number).filter(Number.isInteger),
        body: requestBody?.content['application/json']?.schema.$ref.replace(/^.*\//, ''),
      })),
  )
}
