/** Where the mock stands in front of which service. */
export interface Place {
  readonly upstream: URL
  /** The path of the mock's base address, which references in its responses start with. */
  readonly base: string
}

/** The path of the upstream's base URL, without a slash at the end. */
export function basePathOf({ pathname }: URL): string {
  return pathname.replace(/\/+$/, '')
}

/** To a browser, this is the address of another host. It removes tabs. */
const OTHER_HOST = /^\/\t*[/\\]/

/** The same path below the base address of the mock; undefined if it is outside the upstream's base URL. */
export function toMockPath(path: string, { upstream, base }: Place): string | undefined {
  const upstreamBase = basePathOf(upstream)
  const rest = path.slice(upstreamBase.length)
  if (!path.startsWith(upstreamBase) || !/^(?:[/?#]|$)/.test(rest) || OTHER_HOST.test(rest)) return undefined
  return base === '' && !rest.startsWith('/') ? `/${rest}` : base + rest
}

/**
 * An address in a response, so that a client reaches it through the mock. One that is not below the upstream's base URL
 * keeps its meaning. `target` is what was requested.
 */
export function toMockAddress(address: string, target: string, place: Place): string {
  // As it came, if possible.
  if (address.startsWith('/') && !OTHER_HOST.test(address))
    return toMockPath(address, place) ?? place.upstream.origin + address
  const asked = new URL(place.upstream.origin + target)
  if (!URL.canParse(address, asked)) return address
  const { origin, pathname, search, hash, href } = new URL(address, asked)
  if (origin !== place.upstream.origin) return address
  return toMockPath(pathname + search + hash, place) ?? href
}
