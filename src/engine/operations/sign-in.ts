import type { SignIn } from '../../document/operations/meaning.js'
import { normalize } from '../../document/resources/names.js'
import { readChoice } from '../../document/resources/read-resources.js'
import { isValid } from '../../document/sample/fit-value.js'
import { propertiesIn, typesOf } from '../../document/schema/facts.js'
import type { Schema } from '../../document/schema/schema.js'
import { EXPIRES_AT, EXPIRES_IN, IDENTITY, REFRESH_TOKEN, TOKEN, TOKEN_TYPE } from '../../document/words/people.js'
import { ApiError, apiError } from '../../http/errors.js'
import { isPlainObject, type Json, ownMember } from '../../lib/values.js'
import { collectionOf } from '../crud/find.js'
import type { GenericHandler, MeaningParts, ResourceContext } from '../crud/handler.js'
import { createRecord } from '../crud/record-handlers.js'
import type { StoredRecord } from '../resources/additions.js'
import { userOf } from '../resources/current-user.js'
import { ENDED_TOKENS, toJsonRecord } from '../resources/record-forms.js'
import { resourceNamed, type ServiceResource } from '../resources/service-resource.js'
import { type Claims, endedTokensOf, hasEnded, readToken, tokenIn, writeToken } from '../resources/tokens.js'
import { memoryOf } from './memory.js'

/** How long tokens are valid, in seconds. */
const ACCESS_SECONDS = 3600
const REFRESH_SECONDS = 30 * 24 * 3600

export function createSignInHandler(parts: MeaningParts<SignIn>): GenericHandler {
  const { meaning, all, standard } = parts
  const people = resourceNamed(all, meaning.resource)
  const signUp = people && createSignUp(parts, people)
  const schema = meaning.operation.response?.schema.schema

  /** The user whose tokens the request wants; undefined if nobody is known by what was sent. */
  function findUser(context: ResourceContext, sent: Json): StoredRecord | undefined {
    const act = meaning.act === 'grant' ? readGrant(sent) : meaning.act
    if (act === 'client') return undefined
    if (act === 'refresh') return people && findByRefreshToken(people, context, sent, meaning.act === 'grant')
    if (act === 'up') return signUp?.(context, sent)
    return people && findByName(people, context, sent)
  }

  return (context) => {
    const sent = sentIn(context)
    if (meaning.act === 'out') {
      if (people) endToken(people, context, sent)
      return standard(context)
    }
    const user = findUser(context, sent)
    const response = standard(context)
    if (schema === undefined) return response
    const issued = issueTokens(people, user, context)
    const known = user && people && toJsonRecord(people, keepToken(people, user, context, issued))
    return { ...response, body: fill(response.body, schema, issued, known) }
  }
}

/** What the request has, by normalized names, also inside an envelope. */
function sentIn({ query, body }: ResourceContext): Json {
  const outer = isPlainObject(body) ? body : {}
  const inner = Object.values(outer).filter(isPlainObject)
  const members = [query, outer, ...inner].flatMap((each) => Object.entries(each))
  return Object.fromEntries(members.map(([name, value]) => [normalize(name), value]))
}

/** What an OAuth client wants (RFC 6749), which also has the codes of the errors. */
function readGrant(sent: Json): 'in' | 'refresh' | 'client' {
  switch (sent.granttype) {
    case 'password':
      return 'in'
    case 'refresh_token':
      return 'refresh'
    case 'client_credentials':
      return 'client'
    case 'authorization_code':
      if (typeof sent.code !== 'string') throw new ApiError(400, 'invalid_request', '/code is missing.')
      return 'in'
    default:
      // Extensions have names that are addresses.
      if (/^urn:|:\/\//.test(String(sent.granttype))) return 'in'
      throw new ApiError(400, 'unsupported_grant_type', `The grant type ${sent.granttype} is not supported.`)
  }
}

const toText = (value: unknown) =>
  value === undefined || typeof value === 'object' ? undefined : String(value).toLowerCase()

/** The latest user who is known by a name or an email that was sent. Any password is right. */
function findByName(people: ServiceResource, { store }: ResourceContext, sent: Json): StoredRecord | undefined {
  const given = new Set(Object.entries(sent).flatMap(([name, value]) => (IDENTITY.test(name) ? [toText(value)] : [])))
  given.delete(undefined)
  const names = people.fields.filter(({ property }) => IDENTITY.test(normalize(property)))
  const collection = collectionOf(store, people)
  const isKnownBy = (user: StoredRecord) => names.some(({ stored }) => given.has(toText(user[stored])))
  return [...collection.select({})].findLast(isKnownBy)
}

function findByRefreshToken(
  people: ServiceResource,
  { store, headers, at }: ResourceContext,
  sent: Json,
  isGrant: boolean,
): StoredRecord | undefined {
  const given = Object.entries(sent).find(([name]) => REFRESH_TOKEN.test(name))?.[1]
  const isSent = typeof given === 'string'
  const claims = isSent ? readToken(given) : tokenIn(headers)
  // The mock cannot know whose token this is if it did not issue it, so it accepts it.
  if (claims === undefined) return undefined
  const user = userOf(people, store, claims)
  // Where no refresh token is sent, the access token in the headers is renewed.
  const isMeant = claims.use === 'refresh' || !isSent
  const isActive = user ? !hasEnded(user, claims) : claims.sub === undefined
  if (isMeant && isActive && claims.exp * 1000 > at) return user
  const message = 'The refresh token has expired or is no longer valid.'
  throw isGrant ? new ApiError(400, 'invalid_grant', message) : apiError('UNAUTHORIZED', message)
}

function createSignUp({ meaning, all, tools }: MeaningParts<SignIn>, people: ServiceResource) {
  const names = people.fields.map(({ property }) => property)
  const choice = readChoice(people.id.property, meaning.operation)
  const id = people.additions.acceptsIds === false ? people.id : { ...people.id, ...choice }
  const create = createRecord({
    resource: { ...people, id, writable: names },
    operation: meaning.operation,
    all,
    tools,
  })
  return (context: ResourceContext, sent: Json) => {
    const known = names.flatMap((name) => {
      const value = ownMember(sent, normalize(name))
      return value === undefined ? [] : [[name, value]]
    })
    const { path: _, ...others } = context
    return create({ ...others, path: {} }, Object.fromEntries(known))
  }
}

/** Ends the tokens that the request has: in its headers, or as what it sends. */
function endToken(people: ServiceResource, { store, headers, at }: ResourceContext, sent: Json): void {
  const given = Object.values(sent).map((value) => (typeof value === 'string' ? readToken(value) : undefined))
  for (const claims of [tokenIn(headers), ...given]) {
    const user = claims && userOf(people, store, claims)
    if (user === undefined || hasEnded(user, claims as Claims)) continue
    const { jti, iat } = claims as Claims
    // Both tokens that were issued together end, and the refresh token would have lasted longer.
    const ended = [...endedTokensOf(user), { jti, exp: iat + REFRESH_SECONDS }]
    const remembered = ended.filter(({ exp }) => exp * 1000 > at)
    collectionOf(store, people).replace({ ...user, [ENDED_TOKENS]: remembered })
  }
}

interface Issued {
  readonly access: string
  readonly refresh: string
  /** In milliseconds since 1970. */
  readonly expiresAt: number
}

/** Where it is remembered how often tokens were issued. */
const ISSUED = 'issued tokens'

function issueTokens(
  people: ServiceResource | undefined,
  user: StoredRecord | undefined,
  { store, at }: ResourceContext,
): Issued {
  const iat = Math.floor(at / 1000)
  const memory = memoryOf(store)
  const count = Number(memory.recall(ISSUED) ?? 0) + 1
  memory.remember(ISSUED, count, at)
  const jti = `${at.toString(36)}-${count}`
  const write = (use: Claims['use'], seconds: number) =>
    writeToken({ ...(user && { sub: user.id, collection: people?.storedIn }), use, iat, exp: iat + seconds, jti })
  return {
    access: write('access', ACCESS_SECONDS),
    refresh: write('refresh', REFRESH_SECONDS),
    expiresAt: (iat + ACCESS_SECONDS) * 1000,
  }
}

/** Some services show users their token. */
function keepToken(people: ServiceResource, user: StoredRecord, { store }: ResourceContext, { access }: Issued) {
  const field = people.fields.find(({ property, schema }) => TOKEN.test(normalize(property)) && isValid(schema, access))
  return field === undefined ? user : collectionOf(store, people).replace({ ...user, [field.stored]: access })
}

/** Puts tokens and what is known of the user into a response, as far as its schema has them. */
function fill(body: unknown, schema: Schema, issued: Issued, user: Json | undefined, depth = 2): unknown {
  if (!isPlainObject(body)) return typesOf(schema).has('string') ? issued.access : body
  let filled = body
  for (const [name, property] of propertiesIn(schema)) {
    const inner = ownMember(body, name)
    const values =
      isPlainObject(inner) && depth > 0
        ? [fill(inner, property, issued, user, depth - 1)]
        : [...valuesFor(normalize(name), issued), ...(user && inner !== undefined ? valuesOf(name, user) : [])]
    const value = values.find((each) => each !== undefined && isValid(property, each))
    if (value !== undefined) filled = { ...filled, [name]: value }
  }
  return isValid(schema, filled) ? filled : body
}

function valuesFor(name: string, { access, refresh, expiresAt }: Issued): readonly unknown[] {
  if (REFRESH_TOKEN.test(name)) return [refresh]
  if (TOKEN.test(name)) return [access]
  if (TOKEN_TYPE.test(name)) return ['Bearer', 'bearer']
  if (EXPIRES_IN.test(name)) return [ACCESS_SECONDS, String(ACCESS_SECONDS)]
  if (EXPIRES_AT.test(name)) return [new Date(expiresAt).toISOString(), Math.floor(expiresAt / 1000)]
  return []
}

/** What a response says about the user by the names that the record has: `user_id` is the id. */
function valuesOf(name: string, user: Json): readonly unknown[] {
  return normalize(name) === 'userid' ? [user.id] : [ownMember(user, name)]
}
