import { apiError, type ErrorCode, MockError, type MockErrorCode } from '../contract/errors.js'

/** The API error for what is thrown as a MockError in process. */
const API_CODES: Partial<Record<MockErrorCode, ErrorCode>> = {
  FAULT_NOT_FOUND: 'FAULT_NOT_FOUND',
  INVALID_FAULT: 'INVALID_FAULT',
  INVALID_FIXTURE: 'INVALID_REQUEST',
  INVALID_OPTION: 'INVALID_REQUEST',
  INVALID_STATE: 'INVALID_STATE',
  INVALID_TIME: 'INVALID_TIME',
  LIMIT_REACHED: 'LIMIT_REACHED',
  SANDBOX_NOT_FOUND: 'SANDBOX_NOT_FOUND',
  SNAPSHOT_NOT_FOUND: 'SNAPSHOT_NOT_FOUND',
  UNKNOWN_OPERATION: 'UNKNOWN_OPERATION',
  UNKNOWN_SCENARIO: 'UNKNOWN_SCENARIO',
}

type AnyHandler = (call: never) => unknown

/** Wraps handlers so that a MockError becomes the API error with the same message. */
export function withMisuseAsApiError<Handlers extends Readonly<Record<string, AnyHandler>>>(
  handlers: Handlers,
): Handlers {
  const rethrow = (error: unknown): never => {
    throw toApiError(error)
  }
  const wrapped = Object.entries(handlers).map(([id, handler]) => [
    id,
    (call: never) => {
      try {
        const response = handler(call)
        return response instanceof Promise ? response.catch(rethrow) : response
      } catch (error) {
        return rethrow(error)
      }
    },
  ])
  return Object.fromEntries(wrapped) as Handlers
}

function toApiError(error: unknown): unknown {
  const code = error instanceof MockError ? API_CODES[error.code] : undefined
  return code === undefined ? error : apiError(code, inOneLine(error as MockError))
}

/** The first problem only, shortened: it may contain a name of any length that the client sent. */
function inOneLine({ message, problems }: MockError): string {
  const [first = message, ...others] = problems
  const line = first.replaceAll(/\s+/g, ' ')
  const shown = line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line
  return others.length === 0 ? shown : `${shown} (and more)`
}

const MAX_LINE_LENGTH = 400
