/** An object without the members that are undefined. */
export function withoutUndefined(members: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
