/** The extensions that this page shows. */
export interface MarkedOperation {
  readonly deprecated?: boolean
  readonly 'x-stability'?: string
  readonly 'x-deprecated-sunset'?: string
  readonly 'x-hideTryItPanel'?: boolean
}

export interface Badge {
  readonly kind: 'stability' | 'deprecated'
  readonly text: string
}

export function badgesOf(operation: MarkedOperation): Badge[] {
  const { deprecated, 'x-stability': stability, 'x-deprecated-sunset': sunset } = operation
  const badges: Badge[] = []
  if (stability !== undefined) badges.push({ kind: 'stability', text: stability })
  if (deprecated) {
    badges.push({ kind: 'deprecated', text: sunset ? `deprecated, sunset ${toDate(sunset)}` : 'deprecated' })
  }
  return badges
}

/** A date for people. Anything else stays as it is. */
function toDate(text: string): string {
  const time = Date.parse(text)
  if (Number.isNaN(time)) return text
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(time)
}
