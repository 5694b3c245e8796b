import { MockError } from '../../http/errors.js'
import { toPointer } from '../../lib/json-pointer.js'
import { quote } from '../../lib/text.js'
import { isObject, isPlainObject } from '../../lib/values.js'
import { resolvePointer } from '../schema/pointer.js'
import { tidyDocument } from '../schema/tidy-document.js'
import { walk } from '../schema/walk.js'
import { CANNOT_BE_USED, findExcess } from './bounds.js'

const checked = new WeakSet<object>()

/** Throws INVALID_DOCUMENT with all mistakes that make a document unusable. One that is only odd passes. */
export function checkDocument(document: unknown): asserts document is object {
  if (typeof document === 'object' && document !== null && checked.has(document)) return
  const problems = findProblems(document)
  if (problems.length > 0) throw invalidDocument(CANNOT_BE_USED, problems)
  checked.add(document as object)
}

export function invalidDocument(message: string, problems: readonly string[]): MockError {
  const excess = problems.length - MAX_PROBLEMS
  const shown = excess > 0 ? [...problems.slice(0, MAX_PROBLEMS), `And ${excess} more problems.`] : problems
  return new MockError('INVALID_DOCUMENT', message, { problems: shown })
}

const MAX_PROBLEMS = 200

function findProblems(document: unknown): string[] {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return ['An OpenAPI document must be an object with `openapi`, `info` and `paths`.']
  }
  const problem = findVersionProblem(document) ?? findExcess(document)
  if (problem !== undefined) return [problem]
  const lost = findLostReferences(document)
  return [...lost, ...(lost.length > 0 ? [] : findLongParts(document)), ...tidyDocument(document).problems]
}

function findVersionProblem(document: { readonly openapi?: unknown; readonly swagger?: unknown }): string | undefined {
  const { openapi, swagger } = document
  if (openapi === undefined && swagger !== undefined) {
    return `Swagger ${String(swagger).slice(0, 10)} is not supported. Convert the document to OpenAPI 3, for example with swagger2openapi.`
  }
  if (openapi === undefined) return '/openapi is missing. It must be the version of OpenAPI, such as 3.1.0.'
  if (/^3\.[0-2](\.\d+)?(-.*)?$/.test(String(openapi))) return undefined
  return `/openapi must be a version from 3.0 to 3.2. Received: ${quote(String(openapi))}.`
}

/** References that lead nowhere, or to each other. */
function findLostReferences(document: object): string[] {
  const problems: string[] = []
  const reasons = new Map<string, string | undefined>()
  for (const { value, path, isNames } of walk(document)) {
    const { $ref } = value as { readonly $ref?: unknown }
    if (isNames || typeof $ref !== 'string') continue
    const reason = reasons.has($ref) ? reasons.get($ref) : explainLost(document, $ref)
    reasons.set($ref, reason)
    if (reason === TOO_LONG) return [`${toPointer(path)}/$ref ${reason}`]
    if (reason !== undefined) problems.push(`${toPointer(path)}/$ref ${reason}`)
  }
  return problems
}

const MAX_CHAIN = 100
/** Following each reference of a long chain takes the square of its length. */
const TOO_LONG = `leads to more than ${MAX_CHAIN} references, one after the other.`

function explainLost(document: object, reference: string): string | undefined {
  const passed = new Set<string>()
  for (let next = reference; ; ) {
    if (next !== '#' && !next.startsWith('#/')) {
      return `refers to ${quote(next)}. Only loadDocument follows references to files, and none to anchors or the network.`
    }
    if (passed.has(next)) return `refers to ${quote(reference)}, which only leads back to itself.`
    if (passed.size >= MAX_CHAIN) return TOO_LONG
    passed.add(next)
    const target = resolvePointer(document, next)
    if (target === undefined) return `refers to ${quote(next)}, which the document does not have.`
    const further: unknown = isPlainObject(target) ? target.$ref : undefined
    if (typeof further !== 'string') return undefined
    next = further
  }
}

/** In real documents, parts have parts about ten levels deep. Each level counts twice if it is a reference. */
const MAX_LEVELS = 200

const PARTS = ['$ref', 'allOf', 'oneOf', 'anyOf']

/** The first schema that is made of parts which are made of parts, and so on: whatever follows them is recursive. */
function findLongParts(document: object): string[] {
  const levels = new Map<object, number>()
  const partsOf = ({ $ref, allOf, oneOf, anyOf }: Record<string, unknown>) =>
    (typeof $ref === 'string' ? [resolvePointer(document, $ref)] : [allOf, oneOf, anyOf].flat()).filter(isObject)
  for (const { value, path } of walk(document)) {
    const hasParts = isObject(value) && PARTS.some((keyword) => keyword in value)
    // Not recursive: that is what it finds.
    const waiting = hasParts ? [value] : []
    for (let next = waiting.at(-1); next !== undefined; next = waiting.at(-1)) {
      const parts = partsOf(next)
      if (!levels.has(next)) {
        levels.set(next, 0)
        waiting.push(...parts.filter((part) => !levels.has(part)))
      } else {
        waiting.pop()
        levels.set(next, 1 + Math.max(0, ...parts.map((part) => levels.get(part) ?? 0)))
      }
    }
    const isTooLong = (levels.get(value) ?? 0) > MAX_LEVELS
    if (isTooLong) return [`${toPointer(path)} is made of schemas inside of schemas, more than 100 levels deep.`]
  }
  return []
}
