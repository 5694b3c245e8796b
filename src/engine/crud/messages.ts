import { CONSONANT, VOWEL } from '../../document/words/nouns.js'
import { ApiError } from '../../http/errors.js'
import { resourceNamed, type ServiceResource } from '../resources/service-resource.js'

type Named = Pick<ServiceResource, 'noun'>

/** The errors that every resource can have. Their codes contain its noun: `BOOK_NOT_FOUND`. */
export function notFound({ noun }: Named, id: unknown): ApiError {
  const message = id === undefined ? `There is no ${noun}.` : `No ${noun} has the id ${id}.`
  return new ApiError(404, `${toCode(noun)}_NOT_FOUND`, message)
}

export function unknownReference(property: string, { noun }: Named, id: unknown): ApiError {
  const message = `/${property} must be the id of ${withArticle(noun)}, but no ${noun} has the id ${id}.`
  return new ApiError(422, `UNKNOWN_${toCode(noun)}`, message, { pointers: [`/requestBody/${property}`] })
}

export function inUse({ noun }: Named, id: string, users: Pick<ServiceResource, 'name'>, count: number): ApiError {
  const message = `${capitalize(noun)} ${id} still has ${users.name} (${count}). Delete them or move them to another ${noun} first.`
  return new ApiError(409, `${toCode(noun)}_IN_USE`, message)
}

export function alreadyExists({ noun }: Named, id: string): ApiError {
  return new ApiError(409, `${toCode(noun)}_EXISTS`, `${capitalize(noun)} ${id} exists already.`)
}

export function valueTaken(resource: Named, property: string, value: unknown, id: unknown): ApiError {
  const message = `/${property} must be unique, but ${resource.noun} ${id} has ${JSON.stringify(value)} already.`
  return new ApiError(409, `${toCode(resource.noun)}_EXISTS`, message, { pointers: [`/requestBody/${property}`] })
}

export function invalidTransition(property: string, from: unknown, to: unknown, allowed: readonly string[]): ApiError {
  const message = `/${property} cannot change from ${from} to ${to}. Allowed: ${allowed.join(', ') || 'none'}.`
  return new ApiError(409, 'INVALID_TRANSITION', message, { pointers: [`/requestBody/${property}`] })
}

/** The codes of these errors, with their statuses. */
export function errorCodesOf(resources: readonly ServiceResource[]): Record<string, number> {
  const codes: Record<string, number> = {}
  for (const { noun, additions, id, checkedReferences } of resources) {
    if (additions.view) continue
    codes[`${toCode(noun)}_NOT_FOUND`] = 404
    if (id.isChosen || additions.unique) codes[`${toCode(noun)}_EXISTS`] = 409
    if (additions.states) codes.INVALID_TRANSITION = 409
    for (const { to, when } of checkedReferences) {
      const target = resourceNamed(resources, to)
      if (target === undefined) continue
      codes[`UNKNOWN_${toCode(target.noun)}`] = 422
      if (!when) codes[`${toCode(target.noun)}_IN_USE`] = 409
    }
  }
  return codes
}

/** An operation that only other states allow. */
export function wrongState(
  { noun }: Named,
  id: string,
  property: string,
  value: unknown,
  allowed: readonly unknown[],
): ApiError {
  const texts = allowed.map((each) => JSON.stringify(each)).join(' or ')
  const message = `${capitalize(noun)} ${id} has ${property} ${JSON.stringify(value)}. It must be ${texts}.`
  return new ApiError(409, `${toCode(noun)}_IN_WRONG_STATE`, message)
}

export function capitalize(noun: string): string {
  return `${noun[0]?.toUpperCase()}${noun.slice(1)}`
}

function toCode(noun: string): string {
  return noun.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')
}

/** By sound: an hour and an order, a user and a one-time code. */
export function withArticle(noun: string): string {
  const isVowel = VOWEL.test(noun) && !CONSONANT.test(noun)
  return `${isVowel ? 'an' : 'a'} ${noun}`
}
