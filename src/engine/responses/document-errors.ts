import { createRandom } from '../../lib/random.js'
import type { ErrorPlace, ToErrorDraft } from '../contract/error-place.js'
import type { ApiError } from '../contract/errors.js'
import { reasonOfStatus } from '../contract/http-statuses.js'
import type { ResponseShape } from '../contract/operation.js'
import { toErrorDraft } from '../contract/render.js'
import type { DocumentOperation } from '../contract/route.js'
import { readPreferences } from '../control/prefer.js'
import { FORMATS } from '../data/formats.js'
import { fillError, pruneError } from './error-body.js'
import type { ErrorFields } from './error-fields.js'
import { createErrorShapes } from './error-shapes.js'
import type { BodyMaker } from './make-body.js'
import { writeBody } from './write-body.js'

/** Writes errors in the shape that a document declares for them; as problem details (RFC 9457) if it declares none. */
export function createDocumentErrors(operations: readonly DocumentOperation[], bodies: BodyMaker): ToErrorDraft {
  const findShape = createErrorShapes(operations)
  const templates = new WeakMap<ResponseShape, unknown>()

  /** A body with the fields that errors have, whatever their values. */
  function templateOf(shape: ResponseShape): unknown {
    const known = templates.get(shape)
    if (known !== undefined) return known
    const validate = bodies.validatorOf(shape.schema)
    const example = bodies.findExample(shape)
    const body = example ?? pruneError(bodies.sampleBody(shape, 'error'), validate)
    const template = isEmpty(body) && validate(ANY_BODY) ? ANY_BODY : body
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
    const validate = bodies.validatorOf(shape.schema)
    const body = named ?? fillError(templateOf(shape), fields, error, validate)
    return { ...draft, ...writeBody(shape.mediaType, body, 'error') }
  }
}

/** For a schema that allows everything. */
const ANY_BODY = { code: '', message: '', status: 400 }

const PROBLEM_TYPE = 'application/problem+json'

function fieldsOf({ code, message, status }: ApiError, { request, at }: ErrorPlace): ErrorFields {
  const requestId = FORMATS.uuid?.make(createRandom(0, `${code} ${message}`)) ?? ''
  return { code, message, status, path: request && request.base + request.path, method: request?.method, at, requestId }
}

function toProblem({ code, message, status, path }: ErrorFields): object {
  const title = reasonOfStatus(status)
  return { type: 'about:blank', title, status, detail: message, ...(path !== undefined && { instance: path }), code }
}

function isEmpty(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.keys(body).length === 0
}
