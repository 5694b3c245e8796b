import type { ResourceOperation } from '../../document/resources/resource.js'
import { disclose } from '../../engine/crud/envelope.js'
import type { FixtureEntry } from '../../engine/data/format.js'
import { isObject } from '../../lib/values.js'
import { HINTS, REDIRECT_HINT } from '../server/recognise-service.js'
import {
  describeStatus,
  findJsonExcess,
  isRedirect,
  isSuccess,
  redirectTarget,
  type ServiceResponse,
} from '../server/service-response.js'

/** Nothing can be pulled. The message is a sentence without a full stop. */
export class PullError extends Error {}

/** The service does not have the operation. */
export class MissingOperation extends PullError {}

const MISSING_STATUSES = [404, 405, 410, 501]

/** The items of a list. Throws if the response is anything else. */
export function requireList(path: string, response: ServiceResponse, operation: ResourceOperation): readonly unknown[] {
  const list = disclose(operation.response?.envelope ?? [], response.value)
  if (isSuccess(response) && Array.isArray(list)) return list
  throw createError(path, response, 'a list')
}

/** The only record of a resource. Throws if the response is anything else. */
export function requireRecord(path: string, response: ServiceResponse, operation: ResourceOperation): FixtureEntry {
  const record = disclose(operation.response?.envelope ?? [], response.value)
  if (isSuccess(response) && isObject(record)) return record
  throw createError(path, response, 'a record')
}

function createError(path: string, response: ServiceResponse, expected: string): PullError {
  const message = `GET ${path} returned ${describe(response, expected)}${hintFor(response)}`
  return MISSING_STATUSES.includes(response.status) ? new MissingOperation(message) : new PullError(message)
}

function describe(response: ServiceResponse, expected: string): string {
  const { status, headers, value, text } = response
  if (isRedirect(response)) return `${status}, a redirect${redirectTarget(response, ' to ')}`
  if (!isSuccess(response)) return describeStatus(response)
  if (value !== undefined) return `${status} with JSON that is not ${expected}`
  const excess = findJsonExcess(text)
  if (excess !== undefined) return `${status} with a body that ${excess}`
  const [type = ''] = (headers.get('Content-Type') ?? '').split(';', 1)
  return `${status} with ${type === '' ? 'a body' : type} that is not JSON`
}

function hintFor(response: ServiceResponse): string {
  if (isRedirect(response)) return REDIRECT_HINT
  return HINTS[response.status] ?? ''
}
