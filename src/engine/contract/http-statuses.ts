/** The reason phrases of RFC 9110 and its extensions, and the codes of errors for which only a status was given. */
const STATUSES: Readonly<Record<number, readonly [reason: string, code?: string]>> = {
  200: ['OK'],
  201: ['Created'],
  204: ['No Content'],
  302: ['Found'],
  304: ['Not Modified'],
  400: ['Bad Request', 'BAD_REQUEST'],
  401: ['Unauthorized', 'UNAUTHORIZED'],
  402: ['Payment Required'],
  403: ['Forbidden', 'FORBIDDEN'],
  404: ['Not Found', 'NOT_FOUND'],
  405: ['Method Not Allowed', 'METHOD_NOT_ALLOWED'],
  406: ['Not Acceptable', 'NOT_ACCEPTABLE'],
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
  507: ['Insufficient Storage'],
  508: ['Loop Detected'],
  511: ['Network Authentication Required'],
}

export function reasonOfStatus(status: number): string {
  return STATUSES[status]?.[0] ?? ''
}

export function codeOfStatus(status: number): string {
  return STATUSES[status]?.[1] ?? `HTTP_${status}`
}
