/** What an operation's extensions say about how long it will last, and whether it is to be tried from a page. */
export interface Markers {
  readonly badges: readonly Badge[]
  readonly hidesTryIt: boolean
}

export interface Badge {
  readonly kind: 'stability' | 'deprecated'
  readonly text: string
}

/** An operation of a document, as far as it is marked. */
export interface MarkedOperation {
  readonly deprecated?: boolean
  readonly 'x-stability'?: string
  readonly 'x-deprecated-sunset'?: string
  readonly 'x-hideTryItPanel'?: boolean
}

export function markersOf(operation: MarkedOperation): Markers {
  const { 'x-stability': stability, 'x-deprecated-sunset': sunset } = operation
  const badges: Badge[] = []
  if (stability !== undefined) badges.push({ kind: 'stability', text: stability })
  if (operation.deprecated) {
    badges.push({ kind: 'deprecated', text: sunset === undefined ? 'deprecated' : `deprecated, ends ${toDay(sunset)}` })
  }
  return { badges, hidesTryIt: operation['x-hideTryItPanel'] === true }
}

/** A date for people; what is not one stays as it is written. */
function toDay(date: string): string {
  const time = Date.parse(date)
  if (Number.isNaN(time)) return date
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(time)
}
