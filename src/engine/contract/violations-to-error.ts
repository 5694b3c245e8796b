import { unescapeToken } from '../../lib/json-pointer.js'
import { quote } from '../../lib/quote.js'
import { ApiError, STATUS_BY_CODE } from './errors.js'
import { HIDDEN, type KeyNames } from './key-names.js'
import type { Operation } from './operation.js'
import type { Validate } from './validators.js'
import { describeViolation, type Naming, TEXT_WORDING, type Wording } from './violations.js'

/** The body, or an ApiError when it violates its schema. */
export function checkBody({ validateBody }: Pick<Operation, 'validateBody'>, requestBody: unknown): unknown {
  return checkValue(validateBody, requestBody)
}

/** The same with one of the validators for bodies. */
export function checkValue(validate: Validate, requestBody: unknown): unknown {
  return validate({ requestBody }) ? requestBody : invalidRequest(validate.errors, nameBodyPart)
}

/** Throws an ApiError, which does not show the values of these keys. */
export function checkParameters(validate: Validate, parameters: object, keys: KeyNames): void {
  if (validate(parameters)) return
  const isKey = (pointer: string) => {
    const [, place, name = ''] = pointer.split('/').map(unescapeToken)
    return (place === 'query' && keys.query.includes(name)) || (place === 'header' && keys.headers.includes(name))
  }
  const errors = validate.errors?.map((error) => (isKey(error.instancePath) ? { ...error, data: HIDDEN } : error))
  throw invalidRequest(errors, nameParameter, TEXT_WORDING)
}

/** Checks only the query. Throws an ApiError. */
export function checkQuery(validate: Validate, parameters: object): void {
  if (validate(parameters)) return
  const errors = validate.errors?.filter(({ instancePath }) => /^\/query(\/|$)/.test(instancePath)) ?? []
  if (errors.length > 0) throw invalidRequest(errors, nameParameter, TEXT_WORDING)
}

function invalidRequest(errors: Validate['errors'], where: Naming, wording?: Wording): ApiError {
  const first = errors?.slice(0, MAX_VIOLATIONS) ?? []
  // Two keywords can reject a value with the same sentence.
  const described = new Map(first.map((error) => [describeViolation(error, where, wording), error]))
  const violations = [...described.keys()]
  const [message = 'The request violates the contract.'] = violations
  return new ApiError(STATUS_BY_CODE.INVALID_REQUEST, 'INVALID_REQUEST', message, {
    violations,
    sources: [...described.values()],
  })
}

/** A hostile body can have thousands. */
const MAX_VIOLATIONS = 20

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
