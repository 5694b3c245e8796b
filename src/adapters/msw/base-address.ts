import { invalidOption } from '../../engine/contract/errors.js'

/** Where a pet store is reached: an origin, and the path in front of the contract's paths (empty at the root). */
interface BaseAddress {
  readonly origin: string
  readonly path: string
}

/** The addresses that a pet store answers for. */
export interface BaseAddresses {
  /** As they were given, for messages. */
  readonly text: string
  /** The path of the base address that a URL lies under; undefined where it lies under none. */
  match(url: string): string | undefined
}

export type BaseUrl = string | URL | readonly (string | URL)[]

/** A base address may leave out its origin where there is a page, or some other place, to be relative to. */
export function resolveBaseAddresses(baseUrl: BaseUrl, relativeTo?: string): BaseAddresses {
  const given = Array.isArray(baseUrl) ? baseUrl : [baseUrl]
  if (given.length === 0) throw invalidOption('baseUrl', 'a list of at least one address', baseUrl)
  // The longest path goes first, so that one address may lie under another.
  const addresses = given.map((each) => resolve(each, relativeTo)).sort((a, b) => b.path.length - a.path.length)
  return {
    text: addresses.map(({ origin, path }) => origin + path).join(', '),
    match: (url) => addresses.find((address) => isUnder(url, address))?.path,
  }
}

function resolve(given: unknown, relativeTo: string | undefined): BaseAddress {
  const text = String(given)
  const url = URL.canParse(text, relativeTo) ? new URL(text, relativeTo) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw invalidOption('baseUrl', 'an address such as https://api.example/v1', text)
  }
  return { origin: url.origin, path: url.pathname.replace(/\/+$/, '') }
}

/** By the letters of the URL, which a `Request` has in their normal form; parsing it again would cost more. */
function isUnder(url: string, { origin, path }: BaseAddress): boolean {
  const base = origin + path
  if (!url.startsWith(base)) return false
  const next = url[base.length]
  return next === undefined || next === '/' || next === '?' || next === '#'
}
