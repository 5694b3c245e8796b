/** The key under which a document declares a status: `404`, `4XX` or `default`. */
export function findDeclaredStatus(responses: object, status: number): string | undefined {
  const exact = String(status)
  if (exact in responses) return exact
  const keys = Object.keys(responses)
  const range = `${exact[0]}XX`
  const found = keys.find((key) => key.toUpperCase() === range)
  if (found !== undefined) return found
  // `default` covers errors only, unless nothing else covers a success.
  const coversDefault = status >= 400 || !keys.some((key) => /^[23]/.test(key))
  return coversDefault && 'default' in responses ? 'default' : undefined
}

/** The status itself, or the nearest one that the document declares for an error, or again itself if there is none. */
export function nearestStatus(responses: object, status: number): number {
  if (findDeclaredStatus(responses, status) !== undefined) return status
  return NEAR[status]?.find((near) => String(near) in responses) ?? status
}

const NEAR: Readonly<Record<number, readonly number[]>> = {
  400: [422],
  404: [410],
  406: [400, 422],
  409: [422, 400],
  410: [404],
  412: [409, 428, 400, 422],
  413: [400, 422],
  415: [400, 422],
  422: [400],
}

/** The statuses whose responses cannot have a body. */
export const WITHOUT_BODY = [204, 205, 304]
