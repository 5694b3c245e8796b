import type { RecordedResponse } from '../../engine/log/reproduction.js'
import { HIDDEN } from '../../http/header-rules.js'
import type { AppliedFault } from '../../http/messages.js'
import { isJsonContentType } from '../../http/negotiation.js'
import { escapeToken } from '../../lib/json-pointer.js'
import { isPlainObject } from '../../lib/values.js'
import { NO_HEADER, type Note, shorten, show } from '../server/differences.js'
import { parseLinks } from '../server/link-header.js'
import { JSON_TYPE } from '../server/send-request.js'
import { parseIfJson } from '../server/service-response.js'

/** The headers that the contract is about. */
export const COMPARED_HEADERS = [
  'content-type',
  'location',
  'link',
  'x-total-count',
  'deprecation',
  'sunset',
  'x-stability',
  'allow',
]

/** A header in one form, however it is written. `move` is applied to the addresses in it. */
export function normaliseHeader(
  name: string,
  value: string | undefined,
  move = (address: string) => address,
): string | undefined {
  if (value === undefined) return undefined
  if (name === 'content-type') return isJsonContentType(value) ? JSON_TYPE : value
  if (name === 'allow')
    return JSON.stringify(
      value
        .toUpperCase()
        .split(/\s*,\s*/)
        .sort(),
    )
  if (name === 'location') return move(value)
  if (name === 'link') return JSON.stringify(normaliseLinks(value, move).sort())
  return value
}

function normaliseLinks(header: string, move: (address: string) => string): string[] {
  return parseLinks(header).map(({ relation, target }) => {
    // A service may have its reference page anywhere.
    if (relation === 'deprecation' || relation === 'sunset') return relation
    const [path = '', text] = move(target).split('?', 2)
    const query = new URLSearchParams(text)
    query.sort()
    return `${relation} ${path} ${query}`
  })
}

export interface ReplayedResponse extends RecordedResponse {
  readonly fault?: AppliedFault | undefined
}

/** Notes every difference between the recorded response and another one. */
export function compareResponses(
  recorded: ReplayedResponse,
  received: ReplayedResponse,
  isHeaderCompared: (name: string) => boolean,
  note: Note,
): void {
  if (recorded.status !== received.status) {
    note('status', describeStatus(recorded), describeStatus(received))
  }
  if (recorded.fault?.kind !== received.fault?.kind) {
    note('fault', recorded.fault?.kind ?? 'none', received.fault?.kind ?? 'none')
  }
  // Not the objects: a header may be called `constructor`.
  const headers = new Map(Object.entries(recorded.headers))
  const others = new Map(Object.entries(received.headers))
  for (const name of [...new Set([...headers.keys(), ...others.keys()])].filter(isHeaderCompared).sort()) {
    compareHeader(name, headers.get(name), others.get(name), note)
  }
  compareBodies(recorded, received, note)
}

/** 0 means that the connection was broken, or that nothing was ever sent. */
function describeStatus({ status }: ReplayedResponse): string {
  return status === 0 ? 'no response' : String(status)
}

function compareHeader(name: string, recorded: string | undefined, received: string | undefined, note: Note): void {
  // The whole value, or in the query of an address.
  const isSecret = recorded?.includes(HIDDEN) && received !== undefined
  if (recorded !== received && !isSecret)
    note(`header ${name}`, shorten(recorded ?? NO_HEADER), shorten(received ?? NO_HEADER))
}

function compareBodies(recorded: ReplayedResponse, received: ReplayedResponse, note: Note): void {
  // The cut may have gone through the last character.
  const end = recorded.cut ? Math.max(0, (recorded.body?.length ?? 0) - 1) : undefined
  const [one = '', other = ''] = [recorded.body?.slice(0, end), received.body?.slice(0, end)]
  if (one === other && recorded.isBase64 === received.isBase64) return
  const values = [one, other].map(parseIfJson)
  if (values.includes(undefined))
    note('body', one === '' ? 'no body' : show(one), other === '' ? 'no body' : show(other))
  else compareValues(values[0], values[1], '', note)
}

/** So many differences mean that another body was sent. */
const MAX_NOTES = 20

/** Notes what differs by JSON pointer. */
function compareValues(recorded: unknown, received: unknown, pointer: string, note: Note): void {
  let notes = 0
  const compare = (one: unknown, other: unknown, at: string): void => {
    if (one === other || notes >= MAX_NOTES) return
    const members = membersOf(one)
    const others = membersOf(other)
    if (members === undefined || others === undefined || Array.isArray(one) !== Array.isArray(other)) {
      notes += 1
      note(`body ${at}`.trimEnd(), show(one), show(other))
      return
    }
    for (const name of new Set([...members.keys(), ...others.keys()])) {
      compare(members.get(name), others.get(name), `${at}/${escapeToken(name)}`)
    }
  }
  compare(recorded, received, pointer)
}

/** The members of an object or an array; undefined for other values. */
function membersOf(value: unknown): Map<string, unknown> | undefined {
  if (Array.isArray(value)) return new Map(value.map((item, index) => [String(index), item]))
  return isPlainObject(value) ? new Map(Object.entries(value)) : undefined
}
