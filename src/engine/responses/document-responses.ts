import { findDeclaredStatus, WITHOUT_BODY } from '../contract/declared-status.js'
import type { ToErrorDraft } from '../contract/error-place.js'
import { preferredOf } from '../contract/negotiation.js'
import type { Operation, ResponseShape } from '../contract/operation.js'
import { retryAfter } from '../contract/response-headers.js'
import type { DocumentOperation } from '../contract/route.js'
import type { Schema } from '../contract/schema.js'
import type { Validate } from '../contract/validators.js'
import type { Preferences } from '../control/prefer.js'
import { createDocumentErrors } from './document-errors.js'
import { createBodyMaker } from './make-body.js'
import { sampleHeaders } from './sample-headers.js'
import { type WrittenBody, writeBody } from './write-body.js'

/** A response as the document declares it. */
export interface DeclaredResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly mediaType?: string
}

/** Makes responses from a document alone. */
export interface DocumentResponses {
  /** The response for an error, in the shape that the document declares. */
  readonly toErrorDraft: ToErrorDraft
  /** What an error with this status has beside its body. */
  errorHeaders(status: number, operation: Operation | undefined): Readonly<Record<string, string>>
  /** The response from the document's examples, else from its schema. Without a status, that of a success. */
  respond(operation: Operation, accept: string | undefined, wanted?: Preferences): DeclaredResponse
  /** The same if the client prefers a success or an example; undefined if it does not, or not one that is declared. */
  respondAsPreferred(
    operation: Operation,
    accept: string | undefined,
    wanted: Preferences,
  ): DeclaredResponse | undefined
  write(mediaType: string, body: unknown): WrittenBody
}

export function createDocumentResponses(
  operations: readonly DocumentOperation[],
  { referenced }: { readonly referenced: ReadonlyMap<object, string> },
  validatorOf: (schema: Schema) => Validate,
): DocumentResponses {
  const bodies = createBodyMaker({ nameOf: (schema) => referenced.get(schema)?.split('/').at(-1), validatorOf })
  const headers = new WeakMap<object, Record<string, string>>()
  const sampled = new WeakMap<ResponseShape, unknown>()

  function headersOf({ id, responses }: Operation, status: number): Record<string, string> {
    const key = findDeclaredStatus(responses, status)
    const response = key === undefined ? undefined : (responses as Responses)[key]
    if (response?.headers === undefined) return {}
    const known = headers.get(response) ?? sampleHeaders(response.headers, bodies, id)
    headers.set(response, known)
    return known
  }

  /** Made once: it is always the same. */
  function sampleOf(shape: ResponseShape, salt: string): unknown {
    const made = sampled.get(shape) ?? bodies.sampleBody(shape, salt) ?? null
    sampled.set(shape, made)
    return made
  }

  function bodyOf(operation: Operation, status: number, accept: string | undefined, wanted: Preferences) {
    const shapes = WITHOUT_BODY.includes(status) ? [] : operation.shapesOf(status)
    const mediaType = preferredOf(
      accept,
      shapes.map((shape) => shape.mediaType),
    )
    const shape = shapes.find((each) => each.mediaType === mediaType) ?? shapes[0]
    if (shape === undefined) return undefined
    const example = wanted.isDynamic ? undefined : bodies.findExample(shape, wanted.example)
    return { body: example ?? sampleOf(shape, operation.id), mediaType: shape.mediaType }
  }

  function respond(operation: Operation, accept: string | undefined, wanted: Preferences = {}): DeclaredResponse {
    const status = wanted.code ?? successOf(Object.keys(operation.responses))
    return { status, headers: headersOf(operation, status), ...bodyOf(operation, status, accept, wanted) }
  }

  return {
    toErrorDraft: createDocumentErrors(operations, bodies),
    errorHeaders: (status, operation) => ({
      ...(operation && headersOf(operation, status)),
      ...retryAfter(status),
      ...(status === 401 && { 'WWW-Authenticate': operation?.security?.challenge ?? 'Bearer' }),
    }),
    respond,
    write: writeBody,
    respondAsPreferred(operation, accept, wanted) {
      const { code, example, isDynamic } = wanted
      const status = code ?? successOf(Object.keys(operation.responses))
      if (findDeclaredStatus(operation.responses, status) === undefined) return undefined
      const hasExample =
        example !== undefined &&
        operation.shapesOf(status).some((shape) => bodies.findExample(shape, example) !== undefined)
      if (code === undefined && !hasExample && !isDynamic) return undefined
      const response = respond(operation, accept, {
        ...wanted,
        code: status,
        example: hasExample ? example : undefined,
      })
      const applied = [
        ...(code === undefined ? [] : [`code=${code}`]),
        ...(hasExample ? [`example="${example}"`] : []),
        ...(isDynamic ? ['dynamic=true'] : []),
      ]
      return { ...response, headers: { ...response.headers, 'Preference-Applied': applied.join(', ') } }
    },
  }
}

type Responses = Readonly<Record<string, { readonly headers?: object } | undefined>>

/** The first status of a success, else of a redirection; 200 if the document has none, or only `2XX` or `default`. */
function successOf(statuses: readonly string[]): number {
  const isRange = statuses.some((status) => /^2XX$/i.test(status))
  const [first] = statuses.filter((status) => (isRange ? /^2\d\d$/ : /^[23]\d\d$/).test(status)).sort()
  return Number(first ?? 200)
}
