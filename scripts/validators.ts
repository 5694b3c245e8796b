/**
 * Generates the validators of a document as a module. openapi-backend would compile them with Ajv at the first request of
 * each operation; compiled here, the published code needs no compiler and no `eval`, which a page may forbid.
 */
import { _, type Ajv, type AnySchemaObject, type ValidateFunction } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { OpenAPIValidator, ValidationContext } from 'openapi-backend'
import { copyDocument } from '../src/document/schema/resolved-document.js'
import { operationIdOf } from '../src/document/schema/route.js'
import { checkExactly } from '../src/document/validate/ajv-functions.js'
import { CompiledRouter } from '../src/document/validate/openapi-backend.js'
import { CHECKS } from '../src/document/validate/schema-compiler.js'
import type { OperationValidators, Validate, Validators } from '../src/document/validate/validators.js'

/** The functions that the compiled code may call. They are ours, so that int64 and dates are checked the same way everywhere. */
const PROVIDED = {
  isInt64: "import { isInt64 } from 'src/lib/int64.js'",
  formats: `import { parseDateTime } from 'src/lib/time.js'

const formats = { 'date-time': (text: string) => parseDateTime(text) !== undefined }`,
  lengthOf: 'const lengthOf = (text: string) => [...text].length',
}

/** The part of Ajv that compiled code would load at run time: the length of a string in code points. */
const AJVS_LENGTH = 'require("ajv/dist/runtime/ucs2length").default'

/** The validators of a document, ready to call, for tests with their own document. */
export function compileValidators(source: object): Validators {
  return compile(source).validators
}

/** Makes the module of a document with many responses smaller: no schema is repeated, and few are available by name. */
export interface Reduction {
  /** The schemas that are available by name. */
  isNamed(schema: string): boolean
  /** Omits the validators of requests and responses. */
  readonly withoutOperations?: true
}

/** The module at `path`, which is relative to the project's root. */
export function validatorsModule(path: string, source: object, reduction?: Reduction): string {
  const { validators, code } = compile(source, reduction)
  const provided = Object.entries(PROVIDED).filter(([name]) => code.includes(name))
  const toSrc = '../'.repeat(path.split('/').length - 2)
  const lines = [
    // Ajv's code has no types.
    '// @ts-nocheck',
    "import type { Validators } from 'src/document/validate/validators.js'",
    ...provided.map(([, text]) => text),
    code,
    `export const validators: Validators = ${print(validators)}\n`,
  ]
  return lines.join('\n').replaceAll("from 'src/", `from '${toSrc}`)
}

function compile(source: object, reduction?: Reduction): { validators: Validators; code: string } {
  const definition = copyDocument(source)
  const components = Object.entries(definition.components?.schemas ?? {}) as [string, AnySchemaObject][]
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
      // The messages are ours: src/document/validate/violations.ts.
      messages: false,
      // Otherwise Ajv would repeat the schemas that the compiler shares.
      ...(reduction && { inlineRefs: false }),
      code: { source: true, esm: true, lines: true, formats: _`formats` },
    },
    customizeAjv: (ajv) => compiler.use(ajv as unknown as Ajv) as never,
  })
  // This makes the validator pass its Ajv to the compiler.
  if (reduction) validator.getAjv(ValidationContext.Response)
  const named = components.filter(([name]) => reduction?.isNamed(name) ?? true)
  if (reduction) compiler.share((reduction.withoutOperations ? named : components).map(([, schema]) => schema))
  const operations = (reduction?.withoutOperations ? [] : router.getOperations()).map((operation) => {
    const id = operationIdOf(operation)
    return [id, operationValidators(validator, id)]
  })
  const schemas = named.map(([name, schema]) => [name, compiler.compile(schema)])
  const validators = { operations: Object.fromEntries(operations), schemas: Object.fromEntries(schemas) }
  return { validators, code: compiler.code() }
}

function operationValidators(validator: OpenAPIValidator, id: string): OperationValidators {
  const request = validator.getRequestValidatorsForOperation(id)
  const responses = validator.getStatusBasedResponseValidatorForOperation(id)
  return { request, responses } as unknown as OperationValidators
}

/**
 * Replaces the Ajv that openapi-backend creates for each schema. One Ajv compiles all schemas, so that they fit in one
 * module, and equal schemas share a function: the errors of all operations need only one.
 */
class Compiler {
  #ajv: Ajv | undefined
  readonly #keys = new Map<string, string>()
  /** The keys of the schemas that others call instead of repeating them. */
  readonly #shared = new Map<string, string>()

  use(ajv: Ajv): this {
    this.#ajv ??= checkExactly(ajv, { isInt64: CHECKS.isInt64, isDateTime: CHECKS.formats['date-time'] })
    return this
  }

  /** Compiles each object schema to a separate function. */
  share(schemas: readonly AnySchemaObject[]): void {
    const objects = schemas.filter(({ properties }) => properties).map(withoutAnnotations)
    // Nested schemas first: they are shorter.
    const texts = objects.map((object) => JSON.stringify(object)).sort((a, b) => a.length - b.length)
    for (const text of texts) {
      const bare = this.#callShared(JSON.parse(text)) as AnySchemaObject
      this.#shared.set(JSON.stringify(bare), this.#add(bare))
    }
  }

  compile(schema: AnySchemaObject): Validate {
    const ajv = this.#used
    const bare = withoutUnusedPlaces(withoutAnnotations(schema))
    return ajv.getSchema(this.#add(this.#callShared(bare) as AnySchemaObject)) as Validate
  }

  #add(bare: AnySchemaObject): string {
    const text = JSON.stringify(bare)
    const known = this.#keys.get(text)
    if (known !== undefined) return known
    const key = `schema${this.#keys.size}`
    this.#keys.set(text, key)
    this.#used.addSchema(bare, key)
    return key
  }

  /** The schema with its parts replaced by calls; the type stays, because messages about the whole object name it. */
  #callShared(node: unknown): unknown {
    if (typeof node !== 'object' || node === null) return node
    if (Array.isArray(node)) return node.map((item) => this.#call(item))
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, this.#call(value)]))
  }

  #call(node: unknown): unknown {
    const bare = this.#callShared(node)
    const $ref = this.#shared.get(JSON.stringify(bare))
    return $ref === undefined ? bare : { type: 'object', $ref }
  }

  code(): string {
    const keys = Object.fromEntries([...this.#keys.values()].map((key) => [key, key]))
    const code = standalone
      .default(this.#used, keys)
      .replace(/^"use strict";|^export const .*$\n/gm, '')
      .replaceAll(AJVS_LENGTH, 'lengthOf')
      // The schema location in errors is not used, and would be a fifth of the code.
      .replace(/schemaPath:"[^"]*",|schema:[^,{}]*,(?=parentSchema:)/g, '')
    const unknown = /require\(.*?\)|\bformats(?!\d|\["date-time"\]).*/.exec(code)
    if (unknown) throw new Error(`The validators use ${unknown[0]}, which this module does not provide yet.`)
    return code
  }

  get #used(): Ajv {
    if (this.#ajv === undefined) throw new Error('The document has no operations.')
    return this.#ajv
  }
}

/** The schema of an operation's parameters has a place for headers and cookies, where our documents declare none. */
function withoutUnusedPlaces(schema: AnySchemaObject): AnySchemaObject {
  const { path, query, ...others } = schema.properties ?? {}
  const places = [others.header?.properties, others.cookie?.properties]
  const areUnused = places.every((properties) => properties && Object.keys(properties).length === 0)
  return areUnused ? { ...schema, properties: { path, query } } : schema
}

/** Keywords that only describe. Errors contain their schema, so these would be included. */
const ANNOTATIONS = ['title', 'description', 'example', 'default']

function withoutAnnotations(schema: AnySchemaObject): AnySchemaObject {
  const bare = Object.entries(schema).filter(([keyword]) => !ANNOTATIONS.includes(keyword))
  return Object.fromEntries(bare.map(([keyword, value]) => [keyword, withoutAnnotationsIn(keyword, value)]))
}

/** Keys below `properties` are names from the document: one of them is `description`. */
function withoutAnnotationsIn(keyword: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || keyword === 'enum' || keyword === 'required') return value
  if (Array.isArray(value)) return value.map(withoutAnnotations)
  if (keyword !== 'properties') return withoutAnnotations(value)
  return Object.fromEntries(Object.entries(value).map(([name, property]) => [name, withoutAnnotations(property)]))
}

/** The table as source code, with each function by its name in the compiled code. */
function print(validators: Validators): string {
  const named = (_: string, value: unknown) =>
    typeof value === 'function' ? `@${(value as ValidateFunction).source?.validateName}` : value
  return JSON.stringify(validators, named, 2).replace(/"@(\w+)"/g, '$1')
}
