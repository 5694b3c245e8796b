/** How an OpenAPI document marks an operation. */
export interface LifecycleExtensions {
  readonly deprecated?: boolean
  readonly 'x-deprecated-since'?: string
  readonly 'x-deprecated-sunset'?: string
  readonly 'x-stability'?: string
}

/** `Deprecation` (RFC 9745), `Sunset` (RFC 8594), links to the reference page, and `X-Stability`. */
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
    // RFC 9745 requires a date. Without one in the document, it is 1970.
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

export function sunsetOf(markers: LifecycleExtensions): number | undefined {
  const day = markers.deprecated ? markers['x-deprecated-sunset'] : undefined
  return day === undefined ? undefined : startOfDay(day)
}

function startOfDay(day: string): number {
  const midnight = Date.parse(`${day}T00:00:00.000Z`)
  if (Number.isNaN(midnight))
    throw new Error(`The OpenAPI document has the lifecycle date ${day}, which is not YYYY-MM-DD.`)
  return midnight
}
