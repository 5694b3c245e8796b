import { ApiError, type ErrorCode, MockError, type MockErrorCode } from '../contract/errors.js'

/** What is thrown at a test in process is answered over HTTP. */
const ANSWERS: Partial<Record<MockErrorCode, ErrorCode>> = {
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

/** The same handlers, with a misuse of the mock turned into the answer that says the same. */
export function refusing<Handlers extends Record<string, AnyHandler>>(handlers: Handlers): Handlers {
  const refuse = (error: unknown): never => {
    throw toApiError(error)
  }
  const wrapped = Object.entries(handlers).map(([id, handler]) => [
    id,
    (call: never) => {
      try {
        const answer = handler(call)
        return answer instanceof Promise ? answer.catch(refuse) : answer
      } catch (error) {
        return refuse(error)
      }
    },
  ])
  return Object.fromEntries(wrapped) as Handlers
}

function toApiError(error: unknown): unknown {
  const code = error instanceof MockError ? ANSWERS[error.code] : undefined
  return code === undefined ? error : new ApiError(code, inOneLine(error as MockError))
}

/** Of many problems the first is enough to begin with. A name that was sent may be in it, as long as its sender liked. */
function inOneLine({ message, problems }: MockError): string {
  const [first = message, ...others] = problems
  const line = first.replaceAll(/\s+/g, ' ')
  const shown = line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line
  return others.length === 0 ? shown : `${shown} (and more)`
}

const MAX_LINE_LENGTH = 400
