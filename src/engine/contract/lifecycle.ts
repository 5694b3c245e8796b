/** The lifecycle markers an operation may carry in the document. */
export interface LifecycleExtensions {
  readonly deprecated?: boolean
  readonly 'x-deprecated-since'?: string
  readonly 'x-deprecated-sunset'?: string
  readonly 'x-stability'?: string
}

/**
 * Headers that announce an operation's markers, by one rule for every operation: `Deprecation` (RFC 9745), `Sunset`
 * (RFC 8594), links to the reference page, and `X-Stability`.
 */
export function lifecycleHeaders(
  operationId: string,
  markers: LifecycleExtensions,
  base: string,
): Record<string, string> {
  const headers: Record<string, string> = {}
  const reference = `<${base}/docs#${operationId}>`
  const links: string[] = []
  if (markers.deprecated) {
    const since = markers['x-deprecated-since']
    // RFC 9745 knows only a date; without one in the document the operation is marked as always deprecated.
    headers.Deprecation = `@${since === undefined ? 0 : startOfDay(since) / 1000}`
    links.push(`${reference}; rel="deprecation"; type="text/html"`)
  }
  const sunset = sunsetOf(markers)
  if (sunset !== undefined) {
    headers.Sunset = new Date(sunset).toUTCString()
    links.push(`${reference}; rel="sunset"; type="text/html"`)
  }
  if (links.length > 0) headers.Link = links.join(', ')
  const stability = markers['x-stability']
  if (stability !== undefined) headers['X-Stability'] = stability
  return headers
}

/** The moment an operation is gone, where the document names one. */
export function sunsetOf(markers: LifecycleExtensions): number | undefined {
  const day = markers.deprecated ? markers['x-deprecated-sunset'] : undefined
  return day === undefined ? undefined : startOfDay(day)
}

function startOfDay(day: string): number {
  const midnight = Date.parse(`${day}T00:00:00.000Z`)
  if (Number.isNaN(midnight)) throw new Error(`the document gives a lifecycle date as ${day}, not as YYYY-MM-DD`)
  return midnight
}
