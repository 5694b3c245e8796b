import { ApiError, STATUS_BY_CODE } from '../../http/errors.js'
import { HIDDEN } from '../../http/header-rules.js'
import { unescapeToken } from '../../lib/json-pointer.js'
import { quote } from '../../lib/text.js'
import type { KeyNames } from './security.js'
import type { Validate } from './validators.js'
import { locateViolation, type Naming, TEXT_WORDING, type Wording } from './violations.js'

/** The body, or an ApiError when it violates its schema. */
export function checkBody({ validateBody }: { readonly validateBody: Validate }, requestBody: unknown): unknown {
  return checkValue(validateBody, requestBody)
}

/** The same with one of the validators for bodies. */
export function checkValue(validate: Validate, requestBody: unknown): unknown {
  return validate({ requestBody }) ? requestBody : invalidRequest(validate.errors, nameBodyPart)
}

/**
 * The error for parameters that were found to be invalid, which does not show the values of these keys. The id of a record is
 * right in a path whatever its parameter allows: a document may contradict itself.
 */
export function invalidParameters(
  errors: Validate['errors'],
  keys: KeyNames,
  isKnownInPath: (name: string) => boolean,
): ApiError | undefined {
  const wrong = (errors ?? []).filter(({ instancePath }) => {
    const [, place, name = ''] = instancePath.split('/').map(unescapeToken)
    return place !== 'path' || !isKnownInPath(name)
  })
  if (wrong.length === 0) return undefined
  const isKey = (pointer: string) => {
    const [, place, name = ''] = pointer.split('/').map(unescapeToken)
    return (place === 'query' && keys.query.includes(name)) || (place === 'header' && keys.headers.includes(name))
  }
  const described = wrong.map((error) => (isKey(error.instancePath) ? { ...error, data: HIDDEN } : error))
  return invalidRequest(described, nameParameter, TEXT_WORDING)
}

/** Checks only what is in the query. Throws an ApiError. */
export function checkQuery(validate: Validate, parameters: object): void {
  if (validate(parameters)) return
  const errors = (validate.errors ?? []).filter(
    ({ instancePath, keyword }) =>
      /^\/query(\/|$)/.test(instancePath) && !(instancePath === '/query' && keyword === 'required'),
  )
  if (errors.length > 0) throw invalidRequest(errors, nameParameter, TEXT_WORDING)
}

function invalidRequest(errors: Validate['errors'], where: Naming, wording?: Wording): ApiError {
  const first = errors?.slice(0, MAX_VIOLATIONS) ?? []
  // Two keywords can reject a value with the same sentence.
  const described = new Map<string, string>()
  for (const error of first) {
    const { sentence, pointer } = locateViolation(error, where, wording)
    described.set(sentence, pointer)
  }
  const violations = [...described.keys()]
  const [message = 'The request violates the contract.'] = violations
  return new ApiError(STATUS_BY_CODE.INVALID_REQUEST, 'INVALID_REQUEST', message, {
    violations,
    pointers: [...described.values()],
  })
}

/** A hostile body can have thousands. */
const MAX_VIOLATIONS = 20

/** A sentence about the place at a pointer, without the place. */
export function withoutPlace(sentence: string, pointer: string): string {
  const place = `${(/^\/requestBody(\/|$)/.test(pointer) ? nameBodyPart : nameParameter)(pointer)} `
  return sentence.startsWith(place) ? sentence.slice(place.length) : sentence
}

/** `/query/limit` and `/query/status/0` are `query parameter limit` and `query parameter status` to the client. */
function nameParameter(pointer: string): string {
  const [, place, name = ''] = pointer.split('/').map(unescapeToken)
  const isPlain = (place === 'header' ? /^[\w-]{1,60}$/ : /^\w{1,60}$/).test(name)
  return `${place} parameter ${isPlain ? name : quote(name)}`
}

function nameBodyPart(pointer: string): string {
  const inside = pointer.slice('/requestBody'.length) || 'the body'
  // An unknown field has a name that the client chose.
  return /^[^\p{C}]{1,100}$/u.test(inside) ? inside : quote(inside)
}
