import { MockError } from '../../http/errors.js'
import { describeValue } from '../../lib/functions.js'
import { quote } from '../../lib/text.js'
import { isKind, isObject } from '../../lib/values.js'

/** Throws when a document is not an object. What is in it is not checked. */
export function requireDocument(document: unknown): asserts document is object {
  if (isObject(document) && !isKind(document, 'Promise')) return
  const expected = 'an OpenAPI document as an object, such as `await loadDocument(file)` returns'
  throw new MockError('INVALID_DOCUMENT', `document must be ${expected}. Received: ${nameOf(document)}.`)
}

function nameOf(value: unknown): string {
  if (isKind(value, 'Promise')) return 'a promise. Add await'
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'string' ? `the text ${quote(value)}` : describeValue(value)
}
