import type { Catalogue } from './catalogue.js'
import { shorten } from './differ.js'
import { readJson } from './judge.js'
import { type Answer, NoAnswer, type Send } from './sender.js'

/** Why a service cannot be verified at all. The message is a sentence without a full stop. */
export class NotVerifiable extends Error {
  override readonly name = 'NotVerifiable'
}

/** Nothing answers at the address. */
export class ServiceUnreachable extends NotVerifiable {}

/** Something answers that is no pet store: hundreds of differences would say no more. */
export class NotAPetStore extends NotVerifiable {}

/** Once may be chance: a connection that was cut, or a fault on purpose. */
const MOST_UNANSWERED = 2

/** Asks for the lists of a pet store until one of the answers could be one's. */
export async function recognise(catalogue: Catalogue, send: Send, baseUrl: string): Promise<void> {
  const seen: (readonly [path: string, answer: Answer])[] = []
  let unanswered = 0
  for (const { method, path } of [...catalogue.values()].filter(({ isList }) => isList)) {
    try {
      const answer = await send({ method, target: `${path}?limit=1`, headers: { Accept: 'application/json' } })
      if (isOfPetStore(answer)) return
      seen.push([path, answer])
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      unanswered += 1
      if (unanswered >= MOST_UNANSWERED) throw new ServiceUnreachable(`${baseUrl} does not answer: ${error.message}`)
    }
  }
  const advice = advise(seen.map(([, { status }]) => status))
  throw new NotAPetStore(`${baseUrl} does not look like a pet store: ${summarise(seen)}${advice}`)
}

function summarise(seen: readonly (readonly [path: string, answer: Answer])[]): string {
  const answers = new Set(seen.map(([, answer]) => describe(answer)))
  if (answers.size === 1) return `GET ${seen.map(([path]) => path).join(', ')} answer ${[...answers][0]}`
  return seen.map(([path, answer]) => `GET ${path} answers ${describe(answer)}`).join(', ')
}

/** Wherever a list is not found, or not shown, there may be anything. */
const SAYS_NOTHING = [401, 403, 404]

/** JSON in place of a list, be it of another shape, or a failure in the contract's. What type it is said to be is for the checks. */
function isOfPetStore({ status, text }: Answer): boolean {
  const value = readJson(text)
  if (typeof value !== 'object' || value === null) return false
  if (status >= 200 && status < 300) return true
  const { code, message } = value as { code?: unknown; message?: unknown }
  return !SAYS_NOTHING.includes(status) && typeof code === 'string' && typeof message === 'string'
}

function describe({ status, headers }: Answer): string {
  const type = shorten((headers.get('content-type') ?? '').split(';', 1)[0] ?? '')
  return type === '' ? String(status) : `${status} with ${type}`
}

function advise(statuses: readonly number[]): string {
  if (statuses.every((status) => status === 401 || status === 403)) {
    return "; if it wants to know who asks, tell it with --header 'Authorization: …'"
  }
  return statuses.every((status) => status === 404) ? '; is the base address right, with its path if it has one?' : ''
}
