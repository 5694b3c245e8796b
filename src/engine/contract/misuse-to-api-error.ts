import { apiError, type ErrorCode, MockError, STATUS_BY_CODE } from './errors.js'

/** Converts a MockError to the API error for the same mistake. Everything else that was thrown stays as it is. */
export function misuseToApiError(thrown: unknown): unknown {
  if (!(thrown instanceof MockError)) return thrown
  const code = INVALID_REQUESTS.includes(thrown.code) ? 'INVALID_REQUEST' : thrown.code
  return Object.hasOwn(STATUS_BY_CODE, code) ? apiError(code as ErrorCode, inOneLine(thrown)) : thrown
}

const INVALID_REQUESTS = ['INVALID_FIXTURE', 'INVALID_OPTION']

/** The first problem only, shortened: it may contain a name of any length that the client sent. */
function inOneLine({ message, problems }: MockError): string {
  const [first = message, ...others] = problems
  const line = first.replaceAll(/\s+/g, ' ')
  const shown = line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line
  return others.length === 0 ? shown : `${shown} (and more)`
}

const MAX_LINE_LENGTH = 400
