import { _, Ajv2020, type KeywordCxt, type KeywordErrorDefinition } from 'ajv/dist/2020.js'
import { callRef } from 'ajv/dist/vocabularies/core/ref.js'
import type { CreateFunctions, FunctionParts, SchemaFunction } from './schema-compiler.js'

// Not from the main file, which the build leaves out of openapi-backend.

/** Passed, so that what loads Ajv shares nothing with what pages load at once. */
interface Checks {
  isInt64(value: unknown): boolean
  isDateTime(text: string): boolean
}

/** Any version of Ajv. */
type Ajv = Pick<Ajv2020, 'opts' | 'addKeyword' | 'removeKeyword' | 'addFormat'>

/**
 * Makes Ajv as exact as the contract: no coercion (openapi-backend turns it on for parameters), int64 over its whole
 * range, and dates that exist.
 */
export function checkExactly<A extends Ajv>(ajv: A, { isInt64, isDateTime }: Checks): A {
  ajv.opts.coerceTypes = false
  // The journal lists every violation of a request.
  ajv.opts.allErrors = true
  ajv.addKeyword({
    keyword: 'int64',
    schemaType: 'boolean',
    code(context: KeywordCxt) {
      const check = context.gen.scopeValue('func', { ref: isInt64, code: _`isInt64` })
      context.fail(_`!${check}(${context.data})`)
    },
  })
  ajv.addFormat('date-time', isDateTime)
  for (const keyword of ['oneOf', 'anyOf', 'someOf'] as const) {
    ajv.removeKeyword(keyword)
    const code = (context: KeywordCxt) => requireBranch(context, keyword)
    ajv.addKeyword({ keyword, schemaType: 'array', trackErrors: true, error: PASSED, code })
  }
  return ajv
}

/** The branches that the value fits: a message names them. */
const PASSED: KeywordErrorDefinition = { message: '', params: ({ params }) => _`{passed: ${params.passed}}` }

/**
 * Ajv's own keywords also report the errors of each branch. These report one error for all of them. Only `oneOf` rejects a
 * value that fits several.
 */
function requireBranch(context: KeywordCxt, keyword: 'oneOf' | 'anyOf' | 'someOf'): void {
  const { gen, schema } = context
  const passed = gen.let('passed', _`[]`)
  for (const schemaProp of (schema as unknown[]).keys()) {
    const valid = gen.name('valid')
    const branch = context.subschema(
      { keyword, schemaProp, compositeRule: true, createErrors: false, allErrors: false },
      valid,
    )
    gen.if(valid, () => gen.code(_`${passed}.push(${schemaProp})`))
    context.mergeValidEvaluated(branch, valid)
  }
  context.reset()
  context.setParams({ passed })
  context.pass(keyword === 'oneOf' ? _`${passed}.length === 1` : _`${passed}.length > 0`)
}

/** Compiles schemas with Ajv, which is large and needs `eval`: imported only if nothing was compiled before. */

export const createAjvFunctions: CreateFunctions = (parts) => {
  const ajv = createAjv(parts)
  return (schema) => ajv.compile(schema) as SchemaFunction
}

/** All functions of a document are compiled with one Ajv. */
export function createAjv(
  { unitOf, patternOf, formats, isInt64 }: FunctionParts,
  onCode?: (code: string, schema: object) => void,
): Ajv2020 {
  const patterns = Object.assign((pattern: string) => patternOf(pattern), { code: PATTERN_OF })
  const ajv = new Ajv2020({
    strict: false,
    // A property may be called `constructor`, which every object inherits.
    ownProperties: true,
    // Ajv would let Infinity pass for an integer.
    strictNumbers: true,
    verbose: true,
    // The messages are ours: violations.ts.
    messages: false,
    // Unknown formats are not checked, and not worth a warning each.
    logger: false,
    // Documents have mistakes: toAjvSchema leaves them out.
    meta: false,
    validateSchema: false,
    addUsedSchema: false,
    // Optimising takes as long as everything else, and a square of the number of choices; V8 does it, too.
    code: { regExp: patterns, optimize: false, ...(onCode && { process: passTo(onCode) }) },
  })
  ajv.addKeyword({
    keyword: 'unlessNull',
    schemaType: ['object', 'boolean'],
    code(context: KeywordCxt) {
      const { gen, data } = context
      const valid = gen.let('valid', true)
      gen.if(_`${data} !== null`, () => {
        const isInsideValid = gen.name('valid')
        const inside = context.subschema({ keyword: 'unlessNull' }, isInsideValid)
        gen.assign(valid, isInsideValid)
        context.mergeValidEvaluated(inside, valid)
      })
      context.ok(valid)
    },
  })
  ajv.addKeyword({
    keyword: 'refersTo',
    schemaType: 'string',
    code(context: KeywordCxt) {
      const unit = context.gen.scopeValue('wrapper', { ref: unitOf(context.schema as string) })
      callRef(context, _`${unit}.validate`, undefined, undefined)
    },
  })
  checkExactly(ajv, { isInt64, isDateTime: formats['date-time'] })
  for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format)
  return ajv
}

/** What Ajv names the function that compiles patterns in its code. */
export const PATTERN_OF = 'patternOf'

/** Ajv calls it with each function that it has written. */
const passTo =
  (onCode: (code: string, schema: object) => void) => (code: string, env?: { readonly schema: unknown }) => {
    if (env !== undefined) onCode(code, env.schema as object)
    return code
  }
