/** Words that the values of an error's `enum` may have for a status, in addition to those of its name. */
export const WORDS_OF_STATUS: Readonly<Record<number, string>> = {
  400: 'invalid request bad validation input parameter',
  401: 'unauthorized unauthenticated authentication auth credentials',
  403: 'forbidden permission access denied',
  404: 'not found missing unknown',
  409: 'conflict exists duplicate',
  422: 'invalid request validation unprocessable',
  429: 'rate limit too many throttled',
}

/** The same for every status from 500. */
export const WORDS_OF_SERVER_ERROR = ['server', 'internal', 'api', 'unavailable', 'unknown']

/** What a field of an error tells. */
export type ErrorFact =
  | 'message'
  | 'title'
  | 'place'
  | 'header'
  | 'pointer'
  | 'placeWithPart'
  | 'part'
  | 'status'
  | 'code'
  | 'success'
  | 'failure'
  | 'path'
  | 'method'
  | 'time'
  | 'requestId'

/** By the name of the field, in lower case, without anything but letters. The first that matches decides. */
export const FIELDS: readonly (readonly [name: RegExp, ErrorFact])[] = [
  [
    /^(error|developer|user|display|long|short)?(messages?|msg|details?|description|text|summary|errors|issue|problem)$/,
    'message',
  ],
  [/^(title|statustext|reasonphrase)$/, 'title'],
  [/^(field|property|param|parameter|attribute|argument)(name|path)?$/, 'place'],
  [/^header(name)?$/, 'header'],
  [/^(json)?pointer$/, 'pointer'],
  [/^loc$/, 'placeWithPart'],
  [/^(location|in)$/, 'part'],
  [/^(http)?(status|statuscode|httpcode)$/, 'status'],
  [/^(error|internal|app|api)?(code|key|type|kind|name|slug|reason|errno)$/, 'code'],
  [/^(success|successful|ok)$/, 'success'],
  [/^(iserror|failed|failure)$/, 'failure'],
  [/^(request)?(path|instance|uri|url)$/, 'path'],
  [/^(request)?method$/, 'method'],
  [/^(timestamp|time|date|occurredat|createdat)$/, 'time'],
  [/^(request|trace|correlation|error|log)?id$|^(reference|requestref)$/, 'requestId'],
]

/** Fields beside an `error` that explain it, so that it is a code. */
export const MESSAGE = /(message|msg|detail|details|description)$/

/** Fields beside a `path` that is the one of the request. */
export const OF_REQUEST = /^(request)?(method|status|statuscode|httpstatus|timestamp|time|date|id|instance)$/
