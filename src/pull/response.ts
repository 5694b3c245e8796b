import { isSuccess, type ServiceResponse } from '../verify/service.js'
import { PullError } from './intake.js'

/** The service does not have the operation. */
export class MissingOperation extends PullError {}

const MISSING_STATUSES = [404, 405, 410, 501]

/** The items of a list. Throws if the response is anything else. */
export function requireList(path: string, response: ServiceResponse): readonly unknown[] {
  const { status, value } = response
  if (isSuccess(response) && Array.isArray(value)) return value
  const message = `GET ${path} returned ${describe(response)}${hintFor(status)}`
  throw MISSING_STATUSES.includes(status) ? new MissingOperation(message) : new PullError(message)
}

function describe(response: ServiceResponse): string {
  const { status, headers, value } = response
  if (status >= 300 && status < 400) return `${status}, a redirect${describeTarget(headers.get('Location'))}`
  if (!isSuccess(response)) return String(status)
  if (value !== undefined) return `${status} with JSON that is not a list`
  const [type = ''] = (headers.get('Content-Type') ?? '').split(';', 1)
  return `${status} with ${type === '' ? 'a body' : type} that is not JSON`
}

/** Without the query, which may hold a secret. */
function describeTarget(location: string | null): string {
  if (location === null || !URL.canParse(location)) return ''
  const { origin, pathname } = new URL(location)
  return ` to ${origin}${pathname}`
}

function hintFor(status: number): string {
  if (status === 401 || status === 403) return "; if it needs credentials, send them with --header 'Authorization: …'"
  return status >= 300 && status < 400 ? '; redirects are not followed' : ''
}
