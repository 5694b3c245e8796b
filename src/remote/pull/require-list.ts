import { disclose } from '../../engine/resources/envelope.js'
import type { ResourceOperation } from '../../engine/resources/resource.js'
import { HINTS, REDIRECT_HINT } from '../recognise-service.js'
import {
  describeStatus,
  findJsonExcess,
  isRedirect,
  isSuccess,
  redirectTarget,
  type ServiceResponse,
} from '../service-response.js'
import { PullError } from './pull-error.js'

/** The service does not have the operation. */
export class MissingOperation extends PullError {}

const MISSING_STATUSES = [404, 405, 410, 501]

/** The items of a list. Throws if the response is anything else. */
export function requireList(path: string, response: ServiceResponse, operation: ResourceOperation): readonly unknown[] {
  const { status, value } = response
  const list = disclose(operation.response?.envelope ?? [], value)
  if (isSuccess(response) && Array.isArray(list)) return list
  const message = `GET ${path} returned ${describe(response)}${hintFor(response)}`
  throw MISSING_STATUSES.includes(status) ? new MissingOperation(message) : new PullError(message)
}

function describe(response: ServiceResponse): string {
  const { status, headers, value, text } = response
  if (isRedirect(response)) return `${status}, a redirect${redirectTarget(response, ' to ')}`
  if (!isSuccess(response)) return describeStatus(response)
  if (value !== undefined) return `${status} with JSON that is not a list`
  const excess = findJsonExcess(text)
  if (excess !== undefined) return `${status} with a body that ${excess}`
  const [type = ''] = (headers.get('Content-Type') ?? '').split(';', 1)
  return `${status} with ${type === '' ? 'a body' : type} that is not JSON`
}

function hintFor(response: ServiceResponse): string {
  if (isRedirect(response)) return REDIRECT_HINT
  return HINTS[response.status] ?? ''
}
