import { invalidOption } from './contract/errors.js'

export interface BaseAddress {
  readonly origin: string
  /** The path in front of the API's paths; empty at the root. */
  readonly path: string
}

export type BaseAddresses = ReturnType<typeof resolveBaseAddresses>

export type BaseUrl = string | URL | readonly (string | URL)[]

/** A base URL may omit its origin if there is a page URL to resolve it against. `option` is for messages. */
export function resolveBaseAddresses(baseUrl: BaseUrl, pageUrl?: string, option = 'baseUrl') {
  const addresses = [baseUrl].flat().map((each) => resolve(String(each), pageUrl, option))
  if (addresses.length === 0) throw invalidOption(option, 'a list of at least one address', baseUrl)
  // The longest path first, because one base address may be under another.
  addresses.sort((a, b) => b.path.length - a.path.length)
  return {
    all: addresses as readonly BaseAddress[],
    /** For messages. */
    text: addresses.map(({ origin, path }) => origin + path).join(', '),
    /** Returns the base address that a URL is under. */
    find: (url: string) => addresses.find((address) => isUnder(url, address)),
  }
}

function resolve(text: string, pageUrl: string | undefined, option: string): BaseAddress {
  const url = URL.canParse(text, pageUrl) ? new URL(text, pageUrl) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw invalidOption(option, 'an address such as https://api.example/v1', text)
  }
  return { origin: url.origin, path: url.pathname.replace(/\/+$/, '') }
}

/** Compares text: the URL of a `Request` is already normalized. */
function isUnder(url: string, { origin, path }: BaseAddress): boolean {
  const base = origin + path
  return url.startsWith(base) && ['/', '?', '#', undefined].includes(url[base.length])
}
