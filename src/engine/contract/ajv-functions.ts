/** Compiles schemas with Ajv, which is large and needs `eval`: imported only if nothing was compiled before. */
import { _, Ajv2020, type KeywordCxt } from 'ajv/dist/2020.js'
import { callRef } from 'ajv/dist/vocabularies/core/ref.js'
import { checkExactly } from './exact-ajv.js'
import type { CreateFunctions, FunctionParts, SchemaFunction } from './schema-compiler.js'

export const createAjvFunctions: CreateFunctions = (parts) => {
  const ajv = createAjv(parts)
  return (schema) => ajv.compile(schema) as SchemaFunction
}

/** All functions of a document are compiled with one Ajv. */
export function createAjv(
  { unitOf, patternOf, formats, isInt64 }: FunctionParts,
  onCode?: (code: string, schema: object) => void,
): Ajv2020 {
  const patterns = Object.assign((pattern: string) => patternOf(pattern) as never, { code: PATTERN_OF })
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
    code: { regExp: patterns, ...(onCode && { process: passTo(onCode) }) },
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
