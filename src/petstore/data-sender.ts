import { MockError } from '../engine/contract/errors.js'
import type { PlainRequest, PlainResponse } from '../engine/contract/messages.js'
import { type Id, parseAnyId } from '../lib/int64.js'
import { parseJson } from '../lib/json.js'
import type { FixtureId } from './fixtures/format.js'

export function readId(id: FixtureId): Id {
  const read = parseAnyId(id)
  if (read === undefined)
    throw new MockError('INVALID_DATA', `an id is a whole number of 64 bits, but got ${String(id)}`)
  return read
}

/** Sends a request of the API and reads the answer, throwing where the store refuses it. */
export interface Sender {
  (method: string, path: string, fields?: object): unknown
  /** What is at a path, or undefined where the API answers 404. */
  orNothing(path: string): unknown
  /** All pages of a list. */
  allOf(path: string): unknown[]
}

export function createSender(handle: (request: PlainRequest) => PlainResponse): Sender {
  const ask = (method: string, target: string, fields?: object): PlainResponse => {
    const [path = '', query = ''] = target.split('?')
    const request = { method, path, query, base: '', headers: { 'content-type': 'application/json' } }
    return handle(fields ? { ...request, body: new TextEncoder().encode(toJson(fields)) } : request)
  }

  const send = (method: string, path: string, fields?: object) => read(method, path, ask(method, path, fields))

  function read(method: string, path: string, { status, body }: PlainResponse): unknown {
    if (status < 400) return body === undefined ? undefined : parseJson(body)
    const { message } = parseJson(body ?? '{}') as { message: string }
    throw new MockError('INVALID_DATA', `the store refuses ${method} ${path}: ${message}`)
  }

  return Object.assign(send, {
    orNothing(path: string) {
      const answer = ask('GET', path)
      return answer.status === 404 ? undefined : read('GET', path, answer)
    },
    allOf(path: string) {
      const items: unknown[] = []
      for (;;) {
        const page = send('GET', `${path}?limit=${PAGE}&offset=${items.length}`) as unknown[]
        items.push(...page)
        if (page.length < PAGE) return items
      }
    },
  })
}

const PAGE = 100

/** Fields as JSON, ids digit for digit in whichever of their spellings they are given. */
function toJson(fields: object): string {
  const members = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${isIdField(name) ? readId(value) : toJsonValue(name, value)}`)
  return `{${members.join(',')}}`
}

function toJsonValue(name: string, value: unknown): string {
  if (typeof value === 'bigint') throw new MockError('INVALID_DATA', `/${name} is not an id and takes no bigint`)
  // What JSON cannot spell, a function say, is left for the schema to refuse.
  return JSON.stringify(value) ?? 'null'
}

function isIdField(name: string): boolean {
  return name === 'id' || name.endsWith('Id')
}
