// Not from the main file, which the build leaves out of openapi-backend.
import { _, type Ajv2020, type KeywordCxt } from 'ajv/dist/2020.js'

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
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    ajv.removeKeyword(keyword)
    const code = (context: KeywordCxt) => requireBranch(context, keyword)
    ajv.addKeyword({ keyword, schemaType: 'array', trackErrors: true, code })
  }
  return ajv
}

/** Ajv's own keywords also report the errors of each branch. These report one error for all of them. */
function requireBranch(context: KeywordCxt, keyword: 'oneOf' | 'anyOf'): void {
  const { gen, schema } = context
  const passed = gen.let('passed', 0)
  for (const schemaProp of (schema as unknown[]).keys()) {
    const valid = gen.name('valid')
    const branch = context.subschema(
      { keyword, schemaProp, compositeRule: true, createErrors: false, allErrors: false },
      valid,
    )
    gen.if(valid, () => gen.code(_`${passed}++`))
    context.mergeValidEvaluated(branch, valid)
  }
  context.reset()
  context.pass(keyword === 'oneOf' ? _`${passed} === 1` : _`${passed} > 0`)
}
