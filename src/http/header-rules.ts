/** The name of a header in RFC 9110. */
export const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/

/** The value of a header in RFC 9110: Latin-1 without control characters other than tabs. */
export const HEADER_VALUE = /^[\t -~\u0080-\u00ff]*$/

/** Clients reject larger headers. */
const MAX_LENGTH = 8000

/** Whether a value that the mock makes, such as a cursor, can be sent. */
export const isHeaderValue = (text: string) => text.length <= MAX_LENGTH && HEADER_VALUE.test(text)

/** In lower case. Only the mock may set them: they describe the body as the mock writes it, or the connection. */
export const RESERVED_HEADERS = [
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'keep-alive',
  'trailer',
  'transfer-encoding',
]

/** Stands for a secret. */
export const HIDDEN = '(hidden)'
