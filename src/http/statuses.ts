/** The reason phrases as Node's server writes them, and the codes of errors for which only a status was given. */
const STATUSES: Readonly<Record<number, readonly [reason: string, code?: string]>> = {
  200: ['OK'],
  201: ['Created'],
  202: ['Accepted'],
  204: ['No Content'],
  206: ['Partial Content'],
  301: ['Moved Permanently'],
  302: ['Found'],
  303: ['See Other'],
  304: ['Not Modified'],
  307: ['Temporary Redirect'],
  308: ['Permanent Redirect'],
  400: ['Bad Request', 'BAD_REQUEST'],
  401: ['Unauthorized', 'UNAUTHORIZED'],
  402: ['Payment Required'],
  403: ['Forbidden', 'FORBIDDEN'],
  404: ['Not Found', 'NOT_FOUND'],
  405: ['Method Not Allowed', 'METHOD_NOT_ALLOWED'],
  406: ['Not Acceptable', 'NOT_ACCEPTABLE'],
  407: ['Proxy Authentication Required'],
  408: ['Request Timeout', 'REQUEST_TIMEOUT'],
  409: ['Conflict', 'CONFLICT'],
  410: ['Gone', 'GONE'],
  411: ['Length Required'],
  412: ['Precondition Failed'],
  413: ['Payload Too Large', 'BODY_TOO_LARGE'],
  414: ['URI Too Long', 'URI_TOO_LONG'],
  415: ['Unsupported Media Type', 'UNSUPPORTED_MEDIA_TYPE'],
  416: ['Range Not Satisfiable'],
  417: ['Expectation Failed', 'EXPECTATION_FAILED'],
  418: ["I'm a Teapot"],
  421: ['Misdirected Request', 'MISDIRECTED_REQUEST'],
  422: ['Unprocessable Entity', 'UNPROCESSABLE_CONTENT'],
  423: ['Locked'],
  424: ['Failed Dependency'],
  425: ['Too Early'],
  426: ['Upgrade Required'],
  428: ['Precondition Required'],
  429: ['Too Many Requests', 'RATE_LIMITED'],
  431: ['Request Header Fields Too Large', 'HEADERS_TOO_LARGE'],
  451: ['Unavailable For Legal Reasons'],
  500: ['Internal Server Error', 'INTERNAL_ERROR'],
  501: ['Not Implemented', 'NOT_IMPLEMENTED'],
  502: ['Bad Gateway', 'BAD_GATEWAY'],
  503: ['Service Unavailable', 'SERVICE_UNAVAILABLE'],
  504: ['Gateway Timeout', 'GATEWAY_TIMEOUT'],
  505: ['HTTP Version Not Supported', 'VERSION_NOT_SUPPORTED'],
  506: ['Variant Also Negotiates'],
  507: ['Insufficient Storage'],
  508: ['Loop Detected'],
  510: ['Not Extended'],
  511: ['Network Authentication Required'],
}

export function reasonOfStatus(status: number): string {
  return STATUSES[status]?.[0] ?? ''
}

export function codeOfStatus(status: number): string {
  return STATUSES[status]?.[1] ?? `HTTP_${status}`
}

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
  409: [422, 400],
  410: [404],
  412: [409, 428, 400, 422],
  413: [400, 422],
  415: [400, 422],
  422: [400],
}

/** The statuses whose responses cannot have a body. */
export const WITHOUT_BODY = [204, 205, 304]
