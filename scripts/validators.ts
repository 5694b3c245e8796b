/**
 * The validators of a document as a module: what openapi-backend would compile with Ajv at the first request of each
 * operation, compiled here instead. So nothing that runs carries a compiler, waits for it, or needs `eval`, which a
 * page may forbid.
 */
import { _, type Ajv, type AnySchemaObject, type KeywordCxt, type ValidateFunction } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { OpenAPIValidator } from 'openapi-backend'
import { parseDateTime } from '../src/contract/date-time.js'
import { prepareDocument } from '../src/contract/document.js'
import { isInt64 } from '../src/contract/int64.js'
import { operationIdOf } from '../src/contract/route.js'
import { CompiledRouter } from '../src/contract/router.js'
import type { OperationValidators, Validate, Validators } from '../src/contract/validators.js'

/** What the compiled code may call besides itself. It is ours, so that an int64 and a date are the same everywhere. */
const PROVIDED = {
  isInt64: "import { isInt64 } from '../int64.js'",
  formats: `import { parseDateTime } from '../date-time.js'

const formats = { 'date-time': (text: string) => parseDateTime(text) !== undefined }`,
  lengthOf: 'const lengthOf = (text: string) => [...text].length',
}

/** The part of Ajv that compiled code would load at run time: the length of a string in code points. */
const AJVS_LENGTH = 'require("ajv/dist/runtime/ucs2length").default'

/** The validators of a document, to call at once: for tests that bring a document of their own. */
export function compileValidators(source: object): Validators {
  return compile(source).validators
}

export function validatorsModule(source: object): string {
  const { validators, code } = compile(source)
  const provided = Object.entries(PROVIDED).filter(([name]) => code.includes(name))
  return [
    // Ajv's code has no types.
    '// @ts-nocheck',
    "import type { Validators } from '../validators.js'",
    ...provided.map(([, text]) => text),
    code,
    `export const validators: Validators = ${print(validators)}\n`,
  ].join('\n')
}

function compile(source: object): { validators: Validators; code: string } {
  const definition = prepareDocument(source)
  const router = new CompiledRouter(definition)
  const compiler = new Compiler()
  const validator = new OpenAPIValidator({
    definition,
    router,
    lazyCompileValidators: true,
    ajvOpts: {
      verbose: true,
      // openapi-backend's own options would let Infinity pass for an integer.
      strictNumbers: true,
      // The sentences are ours: src/contract/violations.ts.
      messages: false,
      code: { source: true, esm: true, lines: true, formats: _`formats` },
    },
    customizeAjv: (ajv) => compiler.use(ajv as unknown as Ajv) as never,
  })
  const operations = router.getOperations().map((operation) => {
    const id = operationIdOf(operation)
    return [id, operationValidators(validator, id)]
  })
  compiler.collectsAll = true
  const schemas = Object.entries(definition.components?.schemas ?? {}).map(([name, schema]) => [
    name,
    compiler.compile(schema as AnySchemaObject),
  ])
  const validators = { operations: Object.fromEntries(operations), schemas: Object.fromEntries(schemas) }
  return { validators, code: compiler.code() }
}

function operationValidators(validator: OpenAPIValidator, id: string): OperationValidators {
  const found = validator.getRequestValidatorsForOperation(id) as unknown as Validate[]
  // The body's check, where there is a body, stands before the parameters' in openapi-backend's list.
  const [body, parameters = body] = found
  if (parameters === undefined) throw new Error(`${id} has no check of its parameters`)
  const responses = validator.getStatusBasedResponseValidatorForOperation(id) as unknown as Record<string, Validate>
  return { parameters, ...(body !== parameters && body && { body }), responses }
}

/**
 * Stands where openapi-backend makes an Ajv for each schema. All are compiled by one, so that they fit in one module,
 * and those that say the same share a function: the failures of all operations need a single one.
 */
class Compiler {
  collectsAll = false
  #ajv: Ajv | undefined
  readonly #keys = new Map<string, string>()

  use(ajv: Ajv): this {
    this.#ajv ??= checkExactly(ajv)
    return this
  }

  compile(schema: AnySchemaObject): Validate {
    const ajv = this.#used
    ajv.opts.allErrors = this.collectsAll
    const said = withoutAnnotations(schema)
    const text = JSON.stringify([this.collectsAll, said])
    let key = this.#keys.get(text)
    if (key === undefined) {
      key = `schema${this.#keys.size}`
      this.#keys.set(text, key)
      ajv.addSchema(said, key)
    }
    return ajv.getSchema(key) as Validate
  }

  code(): string {
    const keys = Object.fromEntries([...this.#keys.values()].map((key) => [key, key]))
    const code = standalone
      .default(this.#used, keys)
      .replace(/^"use strict";|^export const .*$\n/gm, '')
      .replaceAll(AJVS_LENGTH, 'lengthOf')
      // Errors also say where in the schema they come from. Nobody reads that, and it is a fifth of the code.
      .replace(/schemaPath:"[^"]*",|schema:[^,{}]*,(?=parentSchema:)/g, '')
    const unknown = /require\(.*?\)|\bformats(?!\d|\["date-time"\]).*/.exec(code)
    if (unknown) throw new Error(`the validators use ${unknown[0]}, which this module does not provide yet`)
    return code
  }

  get #used(): Ajv {
    if (this.#ajv === undefined) throw new Error('the document has no operation')
    return this.#ajv
  }
}

/**
 * Makes Ajv as exact as the contract: no coercion (openapi-backend turns it on for parameters), int64 over its whole
 * range, and dates that exist.
 */
function checkExactly(ajv: Ajv): Ajv {
  ajv.opts.coerceTypes = false
  ajv.addKeyword({
    keyword: 'int64',
    schemaType: 'boolean',
    code(context: KeywordCxt) {
      const check = context.gen.scopeValue('func', { ref: isInt64, code: _`isInt64` })
      context.fail(_`!${check}(${context.data})`)
    },
  })
  ajv.addFormat('date-time', (text: string) => parseDateTime(text) !== undefined)
  return ajv
}

/** Keywords that describe and never refuse. Errors carry their schema, so these would be carried along. */
const ANNOTATIONS = ['title', 'description', 'example', 'default']

function withoutAnnotations(schema: AnySchemaObject): AnySchemaObject {
  const bare = Object.entries(schema).filter(([keyword]) => !ANNOTATIONS.includes(keyword))
  return Object.fromEntries(bare.map(([keyword, value]) => [keyword, withoutAnnotationsIn(keyword, value)]))
}

/** The names under `properties` are the document's own: one of them is `description`. */
function withoutAnnotationsIn(keyword: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || keyword === 'enum' || keyword === 'required') return value
  if (Array.isArray(value)) return value.map(withoutAnnotations)
  if (keyword !== 'properties') return withoutAnnotations(value)
  return Object.fromEntries(Object.entries(value).map(([name, property]) => [name, withoutAnnotations(property)]))
}

/** The table as source, with each function by its name in the compiled code. */
function print(validators: Validators): string {
  const named = (_: string, value: unknown) =>
    typeof value === 'function' ? `@${(value as ValidateFunction).source?.validateName}` : value
  return JSON.stringify(validators, named, 2).replace(/"@(\w+)"/g, '$1')
}
