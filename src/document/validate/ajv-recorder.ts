/** Compiles the functions of schemas with Ajv, and writes down their code: what Ajv passes to `new Function`. */
import type { Ajv2020 } from 'ajv/dist/2020.js'
import { createAjv, PATTERN_OF } from './ajv-functions.js'
import type { CreateFunctions, FunctionParts, SchemaFunction, Unit } from './schema-compiler.js'

/** `codes` has the code of each function by the key of its schema. */
export function createRecorder(hasUnevaluated: boolean) {
  const codes = new Map<string, string>()
  const texts = new Map<string, string>()

  const createFunctions: CreateFunctions = (parts) => {
    let code = ''
    const ajv: Ajv2020 = createAjv(parts, (written, schema) => {
      code = printFunction(written, { schema, parts, scope: ajv.scope.get() })
    })
    ajv.opts.unevaluated = hasUnevaluated
    return (schema) => {
      const key = parts.keyOf(schema)
      const text = JSON.stringify(schema)
      if ((texts.get(key) ?? text) !== text) throw new Error(`Two schemas have the key ${key}.`)
      texts.set(key, text)
      const validate = ajv.compile(schema)
      // Other functions ask it which properties it has checked.
      const evaluated = JSON.stringify({ evaluated: validate.evaluated })
      codes.set(key, hasUnevaluated ? `(...all) => Object.assign((${code})(...all), ${evaluated})` : code)
      return validate as SchemaFunction
    }
  }

  return { createFunctions, codes }
}

interface Surroundings {
  readonly schema: object
  readonly parts: FunctionParts
  /** What the code uses: by its kind and its index. */
  readonly scope: Readonly<Record<string, readonly unknown[] | undefined>>
}

/** Ajv's code takes what it needs from its scope, which a page does not have. */
function printFunction(code: string, surroundings: Surroundings): string {
  const start = code.indexOf('return function ')
  const declarations = code
    .slice(0, start)
    .replace(/const (\w+) = scope\.(\w+)\[(\d+)\];\s*/g, (_, name, kind, index) => {
      const value = printValue(surroundings.scope[kind]?.[index], surroundings)
      return value === undefined ? '' : `const ${name} = ${value};`
    })
  // The location and value of the keyword in errors are not used, and would be a fifth of the code.
  const body = code
    .slice(start)
    .replace(/schemaPath:"(?:[^"\\]|\\.)*",|schema:schema\d+[^,{}"]*,(?=parentSchema:schema\d)/g, '')
  return `(schema, given) => { ${declarations}${body} }`
}

/** Functions of Ajv, by what they are in its own modules, and what replaces them. */
const REPLACEMENTS: Readonly<Record<string, keyof FunctionParts>> = {
  'require("ajv/dist/runtime/ucs2length").default': 'lengthOf',
  'require("ajv/dist/runtime/equal").default': 'isEqual',
}

/** Undefined if the code does not use it. */
function printValue(value: unknown, { schema, parts }: Surroundings): string | undefined {
  if (value === schema) return 'schema'
  const { pattern, name, code = '' } = value as Partial<Unit> & { readonly pattern?: string; readonly code?: string }
  if (code === PATTERN_OF) return undefined
  if (pattern !== undefined) return `given.patternOf(${JSON.stringify(pattern)})`
  const [format] = Object.entries(parts.formats).find(([, each]) => each === value) ?? []
  if (format !== undefined) return `given.formats[${JSON.stringify(format)}]`
  if (typeof value !== 'function') return `given.unitOf(${JSON.stringify(name)})`
  const [part = REPLACEMENTS[code]] = Object.entries(parts).find(([, each]) => each === value) ?? []
  if (part === undefined) throw new Error(`The code of a schema calls ${code}, which it cannot.`)
  return `given.${part}`
}
