import { isPlainObject } from '../../lib/plain-object.js'
import { quote } from '../../lib/quote.js'
import { MockError } from '../contract/errors.js'
import { resolvePointer } from '../contract/pointer.js'
import { findExcess } from './bounds.js'
import { findWrongShapes } from './shapes.js'
import { toPointer, walk } from './walk.js'

const checked = new WeakSet<object>()

/** Throws INVALID_DOCUMENT with all mistakes that make a document unusable. One that is only odd passes. */
export function checkDocument(document: unknown): asserts document is object {
  if (typeof document === 'object' && document !== null && checked.has(document)) return
  const problems = findProblems(document)
  if (problems.length > 0) throw invalidDocument('The OpenAPI document cannot be used:', problems)
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
  return [...findLostReferences(document), ...findWrongShapes(document)]
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
