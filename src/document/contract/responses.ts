import type { ApiError } from '../../http/errors.js'
import { retryAfter } from '../../http/headers.js'
import { preferredOf } from '../../http/negotiation.js'
import type { Preferences } from '../../http/prefer.js'
import { readPreferences } from '../../http/prefer.js'
import { findDeclaredStatus, reasonOfStatus, WITHOUT_BODY } from '../../http/statuses.js'
import { once, oncePer } from '../../lib/functions.js'
import { createRandom } from '../../lib/random.js'
import { FORMATS } from '../sample/formats.js'
import { propertiesWithoutChoices } from '../schema/facts.js'
import type { DocumentOperation } from '../schema/route.js'
import type { Schema } from '../schema/schema.js'
import type { Validate } from '../validate/validators.js'
import type { ErrorFields } from './error-body.js'
import { type ErrorTemplate, fillError, pruneError, tellsMessage, tellsRequest } from './error-body.js'
import type { ErrorPlace, ToErrorDraft } from './error-drafts.js'
import { toErrorDraft } from './error-drafts.js'
import type { BodyMaker } from './make-body.js'
import { createBodyMaker, sampleHeaders } from './make-body.js'
import { compileShapes, type Operation, type ResponseShape } from './operation.js'
import { type WrittenBody, writeBody } from './write-body.js'

/** How often the operations of a document use a shape. */
interface Use {
  readonly shape: ResponseShape
  count: number
}

type Uses = Map<unknown, Use>

/**
 * Finds the shape of an error: that which the operation declares for the status, else that of its other errors, else that of
 * most errors of the document. If the document has none, it is `none` for a status that is declared without a body.
 */
function createErrorShapes(operations: readonly DocumentOperation[]) {
  const common = once(() => ({ shape: findMostCommon(operations) }))

  return (operation: Operation | undefined, status: number): ResponseShape | 'none' | undefined => {
    const responses = operation?.responses ?? {}
    const declared = operation?.shapeOf(status)
    if (declared) return declared
    const others = Object.keys(responses).filter(isError).map(toStatus)
    const shape = others.map((each) => operation?.shapeOf(each)).find((each) => each !== undefined) ?? common().shape
    return shape ?? (findDeclaredStatus(responses, status) === undefined ? undefined : 'none')
  }
}

/** One of the statuses that a key of the document stands for: 400 for `4XX`, and one that has no other key for `default`. */
const toStatus = (key: string) => Number(key === 'default' ? 599 : key.replace(/XX$/i, '00'))

function findMostCommon(operations: readonly DocumentOperation[]): ResponseShape | undefined {
  const uses: Uses = new Map()
  for (const { responses = {} } of operations) {
    const errors = Object.fromEntries(Object.entries(responses).filter(([status]) => isError(status)))
    for (const [shape] of compileShapes(errors).values()) if (shape !== undefined) count(uses, shape)
  }
  return mostUsed(uses)
}

function count(uses: Uses, shape: ResponseShape): void {
  // The same schema is often written again for each operation.
  const names = Object.keys(propertiesWithoutChoices(shape.schema))
  const key = names.length > 0 ? `${shape.mediaType} ${names.sort().join(' ')}` : shape.schema
  const known = uses.get(key)
  if (known) known.count += 1
  else uses.set(key, { shape, count: 1 })
}

function mostUsed(uses: Uses): ResponseShape | undefined {
  let most: Use | undefined
  for (const use of uses.values()) if (most === undefined || use.count > most.count) most = use
  return most?.shape
}

const isError = (status: string) => /^(?:[45](?:\d\d|XX)|default)$/i.test(status)

/** Writes errors in the shape that a document declares for them; as problem details (RFC 9457) if it declares none. */
function createDocumentErrors(operations: readonly DocumentOperation[], bodies: BodyMaker): ToErrorDraft {
  const findShape = createErrorShapes(operations)
  const templates = new WeakMap<ResponseShape, ErrorTemplate>()
  /** By all that decides about them, where they do not tell of one request: clients make the same few mistakes. */
  const written = oncePer((template: ErrorTemplate) =>
    tellsRequest(template.body) ? {} : { bodies: new Map<string, WrittenBody>() },
  )

  /** A body with the fields that errors have, whatever their values. */
  function templateOf(shape: ResponseShape): ErrorTemplate {
    const known = templates.get(shape)
    if (known !== undefined) return known
    const validate = bodies.validatorOf(shape.schema)
    const example = bodies.findExample(shape)
    // An example without a message, such as an empty list of errors, is no example of an error that has one.
    const made = tellsMessage(example) ? undefined : pruneError(bodies.sampleBody(shape, 'error'), validate)
    const isExample = example !== undefined && !tellsMessage(made)
    const body = isExample ? example : made
    const template = { body: isEmpty(body) && validate(ANY_BODY) ? ANY_BODY : body, isExample }
    templates.set(shape, template)
    return template
  }

  return (error, violations, place = {}) => {
    const { body: _, mediaType: __, ...draft } = toErrorDraft(error, violations)
    const shape = findShape(place.operation, error.status)
    if (shape === 'none') return draft
    const fields = fieldsOf(error, place)
    if (shape === undefined) return { ...draft, ...writeBody(PROBLEM_TYPE, toProblem(fields)) }
    const { example } = readPreferences(place.request?.headers.prefer)
    const named = example === undefined ? undefined : bodies.findExample(shape, example)
    if (named !== undefined) return { ...draft, ...writeBody(shape.mediaType, named, 'error') }
    return { ...draft, ...fill(shape, fields, error) }
  }

  function fill(shape: ResponseShape, fields: ErrorFields, error: ApiError): WrittenBody {
    const template = templateOf(shape)
    const known = written(template).bodies
    const { code, status, message, violations, pointers } = error
    const key = known && JSON.stringify([code, status, message, violations, pointers])
    const found = key === undefined ? undefined : known?.get(key)
    if (found) return found
    const body = fillError(template, fields, error, bodies.validatorOf(shape.schema))
    const made = writeBody(shape.mediaType, body, 'error')
    if (key !== undefined && key.length <= MAX_KEY_LENGTH) {
      if (known && known.size >= MAX_WRITTEN) known.clear()
      known?.set(key, made)
    }
    return made
  }
}

const MAX_WRITTEN = 64
const MAX_KEY_LENGTH = 1000

/** For a schema that allows everything. */
const ANY_BODY = { code: '', message: '', status: 400 }

const PROBLEM_TYPE = 'application/problem+json'

function fieldsOf({ code, message, status }: ApiError, { request, at }: ErrorPlace): ErrorFields {
  const requestId = () => FORMATS.uuid?.make(createRandom(0, `${code} ${message}`)) ?? ''
  return { code, message, status, path: request && request.base + request.path, method: request?.method, at, requestId }
}

function toProblem({ code, message, status, path }: ErrorFields): object {
  const title = reasonOfStatus(status)
  const instance = path === undefined ? {} : { instance: path }
  // Clients look for a message, whatever else there is.
  return { type: 'about:blank', title, status, detail: message, ...instance, code, message }
}

function isEmpty(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.keys(body).length === 0
}

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
      { isAnyJson: true },
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
