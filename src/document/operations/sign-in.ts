import { parameterOf } from '../resources/envelopes.js'
import { normalize } from '../resources/names.js'
import { toResourceOperation } from '../resources/roles.js'
import { areSimilar, isObjectSchema, propertiesIn, typesOf } from '../schema/facts.js'
import type { Schema } from '../schema/schema.js'
import { IDENTITY, PASSWORD, REFRESH, REFRESH_TOKEN, SIGN_IN, SIGN_OUT, SIGN_UP, TOKEN } from '../words/people.js'
import type { Known, SignIn, Unclaimed } from './meaning.js'

/** Credentials in, and a token out; what makes a user, ends a token or renews it. */
export function recogniseSignIn(operation: Unclaimed, { people }: Known): SignIn | undefined {
  const { path, method } = operation
  if (method === 'patch' || path.segments.some((segment) => parameterOf(segment) !== undefined)) return undefined
  const act = actOf(operation, people?.record.schema)
  if (act === undefined) return undefined
  const hint = { collection: '', noun: people?.noun ?? 'user' }
  const role = act === 'up' ? 'create' : 'read'
  return {
    kind: 'signIn',
    act,
    ...(people && { resource: people.name }),
    operationId: operation.name,
    operation: toResourceOperation(operation, role, hint, people?.record.schema ?? {}),
  }
}

function actOf({ path, method, parameters, request, successes }: Unclaimed, person: Schema | undefined) {
  const word = normalize(path.segments.at(-1) ?? '')
  const sent = [
    ...namesIn(request?.schema.schema),
    ...parameters.filter((each) => each.in === 'query').map(({ name }) => normalize(name)),
  ]
  const sends = (pattern: RegExp) => sent.some((name) => pattern.test(name))
  const returned = successes[0]?.body?.schema.schema
  const returnsToken = returned !== undefined && namesIn(returned).some((name) => TOKEN.test(name))
  if (SIGN_OUT.test(word) || (method === 'delete' && SIGN_IN.test(word))) return 'out'
  if (method === 'delete') return undefined
  if (sends(/^granttype$/)) return 'grant'
  if (REFRESH.test(word) && (returnsToken || sends(REFRESH_TOKEN))) return 'refresh'
  if (sends(REFRESH_TOKEN) && returnsToken) return 'refresh'
  const isText = returned !== undefined && typesOf(returned).has('string')
  if (SIGN_UP.test(word)) return method !== 'get' && sends(IDENTITY) ? 'up' : undefined
  if (SIGN_IN.test(word)) return sends(PASSWORD) && (returnsToken || isText || method === 'post') ? 'in' : undefined
  if (method !== 'post' || !sends(PASSWORD) || !sends(IDENTITY)) return undefined
  const returnsPerson =
    returned !== undefined && person !== undefined && objectsIn(returned).some((each) => areSimilar(each, person))
  return returnsPerson || returnsToken ? 'up' : undefined
}

/** A body, and the objects in it: one of them may be its envelope. */
function objectsIn(schema: Schema): readonly Schema[] {
  return [schema, ...[...propertiesIn(schema).values()].filter(isObjectSchema)]
}

const namesIn = (schema: Schema = {}) =>
  objectsIn(schema).flatMap((object) => [...propertiesIn(object).keys()].map(normalize))
