import { describeValue, isError } from '../lib/functions.js'
import { findNearest } from '../lib/nearest.js'
import { quote } from '../lib/text.js'

/** The error codes of the engine and their HTTP statuses. A service adds its own. */
export const STATUS_BY_CODE = {
  BAD_REQUEST: 400,
  INVALID_REQUEST: 400,
  MALFORMED_BODY: 400,
  SANDBOX_REQUIRED: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN_ORIGIN: 403,
  ROUTE_NOT_FOUND: 404,
  ENTRY_NOT_FOUND: 404,
  COLLECTION_NOT_FOUND: 404,
  FAULT_NOT_FOUND: 404,
  OVERRIDE_NOT_FOUND: 404,
  RECORD_NOT_FOUND: 404,
  SANDBOX_NOT_FOUND: 404,
  SNAPSHOT_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  REQUEST_TIMEOUT: 408,
  OPERATION_SUNSET: 410,
  BODY_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  EXPECTATION_FAILED: 417,
  MISDIRECTED_REQUEST: 421,
  INVALID_DATA: 422,
  INVALID_FAULT: 422,
  INVALID_OVERRIDE: 422,
  INVALID_STATE: 422,
  INVALID_TIME: 422,
  LIMIT_REACHED: 422,
  NO_UPSTREAM: 422,
  UNKNOWN_OPERATION: 422,
  UNKNOWN_SCENARIO: 422,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  NOT_IMPLEMENTED: 501,
  UPSTREAM_UNREACHABLE: 502,
  UPSTREAM_TIMEOUT: 504,
  VERSION_NOT_SUPPORTED: 505,
} as const

export type ErrorCode = keyof typeof STATUS_BY_CODE

interface ErrorDetails {
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Everything that is wrong with the request, if there is more than the message says. */
  readonly violations?: readonly string[]
  /** Where each violation is, if it is in one place: `/requestBody/size/width`, `/query/limit`. */
  readonly pointers?: readonly string[]
}

/**
 * An error response of the API. Thrown, but not an `Error`: its stack is never shown, and capturing one would cost more
 * than the rest of the response.
 */
export class ApiError {
  /** The command and a service file that it serves each have this class. */
  static [Symbol.hasInstance](value: unknown): value is ApiError {
    try {
      return typeof value === 'object' && value !== null && 'violations' in value && 'status' in value
    } catch {
      // A proxy that cannot be read.
      return false
    }
  }

  readonly headers: Readonly<Record<string, string>>
  readonly violations: readonly string[]
  readonly pointers: readonly string[]
  /** Set if a service has chosen the status. */
  isExact?: boolean

  constructor(
    readonly status: number,
    readonly code: string,
    readonly message: string,
    { headers = {}, violations = [message], pointers = [] }: ErrorDetails = {},
  ) {
    this.headers = headers
    this.violations = violations
    this.pointers = pointers
  }
}

export function apiError(code: ErrorCode, message: string, headers?: Readonly<Record<string, string>>): ApiError {
  return new ApiError(STATUS_BY_CODE[code], code, message, { headers })
}

export type MockErrorCode =
  | 'CALLBACK_FAILED'
  | 'CANNOT_CONNECT'
  | 'CANNOT_LISTEN'
  | 'CONTRACT_VIOLATION'
  | 'FAULT_NOT_FOUND'
  | 'FOREIGN_SNAPSHOT'
  | 'INVALID_CERTIFICATE'
  | 'INVALID_DATA'
  | 'INVALID_DOCUMENT'
  | 'INVALID_FAULT'
  | 'INVALID_FIXTURE'
  | 'INVALID_OPTION'
  | 'INVALID_OVERRIDE'
  | 'INVALID_REQUEST'
  | 'INVALID_STATE'
  | 'INVALID_TIME'
  | 'LIMIT_REACHED'
  | 'LIFECYCLE_WARNING'
  | 'NOT_CLOSED'
  | 'NOT_LISTENING'
  | 'NOT_READY'
  | 'NO_UPSTREAM'
  | 'OTHER_MSW_SERVER'
  | 'OVERRIDE_NOT_FOUND'
  | 'RECORD_NOT_FOUND'
  | 'SANDBOX_NOT_FOUND'
  | 'SNAPSHOT_NOT_FOUND'
  | 'TIMEOUT'
  | 'UNAUTHORIZED'
  | 'UNHANDLED_REQUEST'
  | 'UNKNOWN_OPERATION'
  | 'UNKNOWN_SCENARIO'
  | 'UNKNOWN_SERVICE'
  | 'UNSUPPORTED_MSW'
  | 'UNUSED_RULE'
  | 'WORKER_UNUSABLE'

/** Thrown when the mock is misused. Only the admin API turns it into an HTTP response. */
export class MockError extends Error {
  override readonly name = 'MockError'
  readonly code: MockErrorCode
  /** All problems when there are several (of a fixture), one sentence each. The message contains them, too. */
  readonly problems: readonly string[]
  /** The name of the option that an INVALID_OPTION error is about. */
  declare readonly option?: string
  /** The values that this option accepts, as they read after "must be". Missing if the option is unknown. */
  declare readonly expected?: string
  /** The rejected value of this option, quoted and shortened for a message. Missing if the option is unknown. */
  declare readonly received?: string

  /** The ES modules and the CommonJS build each have this class, and a process may load both. */
  static override [Symbol.hasInstance](value: unknown): value is MockError {
    try {
      return isError(value) && value.name === 'MockError' && 'problems' in value
    } catch {
      // A proxy that cannot be read.
      return false
    }
  }

  constructor(code: MockErrorCode, message: string, { problems = [], ...option }: MockErrorDetails = {}) {
    super([message, ...problems].join('\n  '))
    this.code = code
    this.problems = problems
    Object.assign(this, option)
  }
}

type MockErrorDetails = Partial<Pick<MockError, 'problems' | 'option' | 'expected' | 'received'>>

/** An INVALID_OPTION error about a value. `expected` reads after "must be". */
export function invalidOption(option: string, expected: string, value: unknown): MockError {
  const text = Array.isArray(value) ? `[${value.map(String).join(', ')}]` : value
  const received = typeof value === 'string' ? quote(value) : describeValue(text)
  const message = `Option "${option}" must be ${expected}. Received: ${received}.`
  return new MockError('INVALID_OPTION', message, { option, expected, received })
}

/** Says that a name is unknown, and suggests the nearest one or lists those available. */
export function describeUnknown(kind: string, name: string, known: readonly string[]): string {
  return `Unknown ${kind} ${quote(name)}. ${suggestName(name, known)}`
}

/** The sentence after one that says that a name is unknown. */
export function suggestName(name: string, known: readonly string[]): string {
  const nearest = findNearest(name, known)
  if (nearest !== undefined) return `Did you mean "${nearest}"?`
  // A document may have hundreds.
  const [listed, more] =
    known.length > MAX_LISTED ? [known.slice(0, 10), ` and ${known.length - 10} more`] : [known, '']
  return `Available: ${listed.join(', ') || 'none'}${more}.`
}

const MAX_LISTED = 30
