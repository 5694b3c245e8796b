import { isJsonContentType } from '../../engine/contract/negotiation.js'
import { parseLinks } from '../link-header.js'
import { JSON_TYPE } from '../send-request.js'

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
