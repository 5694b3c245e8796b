import { readdirSync, readFileSync } from 'node:fs'
import type { Ajv } from 'ajv'
import { build } from 'esbuild'
import fc from 'fast-check'
import { OpenAPIValidator, ValidationContext } from 'openapi-backend'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { inNode } from '../../scripts/bundle.js'
import { copyDocument } from '../../src/document/schema/resolved-document.js'
import type { Schema } from '../../src/document/schema/schema.js'
import type { Validate, Validators, Violation } from '../../src/document/validate/validators.js'
import { describeViolation, TEXT_WORDING } from '../../src/document/validate/violations.js'
import { validators as adminValidators } from '../../src/generated/engine/admin/admin-validators.js'
import { validators as ruleValidators } from '../../src/generated/engine/rules/rule-validators.js'
import { validators as openapiValidators } from '../../src/generated/petstore/openapi-validators.js'
import { isInt64 } from '../../src/lib/int64.js'
import { parseDateTime } from '../../src/lib/time.js'
import { isFullRun } from '../support/full-run.js'

const root = new URL('../../', import.meta.url)
const SEED = 20260331
const VALUES_EACH = isFullRun ? 60 : 12

// --- Compiled as openapi-backend does it at run time: from the whole document, a new Ajv for each schema ---

type Fresh = Validate & { readonly schema: Schema }

function compileFreshly(name: string) {
  const definition = copyDocument(parse(readFileSync(new URL(`spec/${name}.yaml`, root), 'utf8')))
  const validator = new OpenAPIValidator({
    definition,
    lazyCompileValidators: true,
    ajvOpts: { verbose: true, strictNumbers: true },
    customizeAjv: (ajv) => checkExactly(ajv as unknown as Ajv) as never,
  })
  return {
    schemas: Object.keys(definition.components?.schemas ?? {}),
    operationIds: validator.router.getOperations().map(({ operationId = '' }) => operationId),
    request: (id: string) => validator.getRequestValidatorsForOperation(id) as unknown as Fresh[],
    responses: (id: string) =>
      validator.getStatusBasedResponseValidatorForOperation(id) as unknown as Record<string, Fresh>,
    schema(schemaName: string): Fresh {
      const ajv = validator.getAjv(ValidationContext.Response) as unknown as Ajv
      return ajv.compile(definition.components?.schemas?.[schemaName] as object) as unknown as Fresh
    },
  }
}

function checkExactly(ajv: Ajv): Ajv {
  ajv.opts.coerceTypes = false
  ajv.opts.allErrors = true
  ajv.addKeyword({ keyword: 'int64', schemaType: 'boolean', validate: (_: unknown, value: unknown) => isInt64(value) })
  ajv.addFormat('date-time', (text: string) => parseDateTime(text) !== undefined)
  return ajv
}

// --- Values that mostly conform to a schema ---

const ODD = fc.constantFrom<unknown[]>(
  ...[
    null,
    true,
    '',
    'sold',
    '7',
    '2026-02-30T00:00:00Z',
    '\u{1f99c}',
    0,
    -1,
    101,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ],
  ...[2 ** 53, 2n ** 53n, 2n ** 63n - 1n, 2n ** 63n, [], [null], {}, { id: 'x' }],
)

const mostly = (valid: fc.Arbitrary<unknown>, odd: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 12, arbitrary: valid }, { weight: 1, arbitrary: odd })

function near(schema: Schema): fc.Arbitrary<unknown> {
  return mostly(fitting(schema), ODD)
}

function fitting(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.int64) return fc.oneof(fc.maxSafeInteger(), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n))
  if (schema.format === 'date-time') return fc.constantFrom('2026-03-31T09:30:00Z', '2024-02-29t23:59:59.5+14:00')
  if (schema.pattern) return fc.constantFrom('before-checkout', '/pets*', 'P1DT2H')
  if (schema.oneOf) return fc.oneof(...schema.oneOf.map(near))
  if (schema.allOf) return fc.tuple(...schema.allOf.map(near)).map((parts) => Object.assign({}, ...parts))
  switch (schema.type) {
    case 'object':
      return fittingObject(schema)
    case 'array':
      return fc.array(near(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: schema.maxItems ?? 3 })
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -(2 ** 31), max: schema.maximum ?? 2 ** 31 })
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.string({ minLength: 1 })
  }
}

function fittingObject({ properties = {} }: Schema): fc.Arbitrary<unknown> {
  const absent = fc.constant(undefined)
  const members = Object.entries(properties).map(([name, property]) => [name, mostly(near(property), absent)])
  const extra = fc.oneof({ weight: 8, arbitrary: absent }, { weight: 1, arbitrary: ODD })
  return fc
    .record({ ...Object.fromEntries(members), 'extra/~': extra })
    .map((object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)))
}

// --- Comparing ---

const tally = { accepted: 0, rejected: 0 }

/** The result of a check: its data, and the messages. */
function verdict(validate: Validate, value: unknown) {
  const isValid = validate(value)
  const found = (isValid ? [] : (validate.errors ?? [])).filter((error) => !isOfOneBranch(error))
  const errors = found.map((error) => ({
    instancePath: error.instancePath,
    keyword: error.keyword,
    params: error.keyword === 'oneOf' ? {} : error.params,
    data: error.data,
    sentence: describeViolation(error, (pointer) => pointer),
    parameterSentence: describeViolation(error, (pointer) => pointer, TEXT_WORDING),
  }))
  // A shared schema repeats the error about the type of an object.
  const isFirst = (error: (typeof errors)[number], index: number) =>
    errors.findIndex((other) => other.keyword === error.keyword && other.sentence === error.sentence) === index
  return { isValid, errors: errors.filter(isFirst) }
}

/** Ajv also reports how a value violates each branch of a `oneOf`. Our validators report the `oneOf` as a whole. */
function isOfOneBranch(error: Validation): boolean {
  return /\/oneOf\/\d/.test(error.schemaPath ?? '')
}

type Validation = Violation & { readonly schemaPath?: string }

function expectToAgree(ours: Validate | undefined, fresh: Fresh | undefined, schema = fresh?.schema): void {
  expect(ours).toBeTypeOf('function')
  if (ours === undefined || fresh === undefined || schema === undefined) return
  for (const value of fc.sample(near(schema), { seed: SEED, numRuns: VALUES_EACH })) {
    const expected = verdict(fresh, value)
    expect(verdict(ours, value)).toEqual(expected)
    tally[expected.isValid ? 'accepted' : 'rejected']++
  }
}

/** Without headers and cookies, which operations do not declare and compiled validators do not check. */
function withoutHeaders(schema: Schema | undefined): Schema {
  const { path = {}, query = {}, ...others } = schema?.properties ?? {}
  expect(others).toEqual({ header: expect.anything(), cookie: expect.anything() })
  for (const place of Object.values(others)) expect(place.properties).toEqual({})
  return { ...schema, properties: { path, query } }
}

/** Schemas that the code does not use by name. */
const UNNAMED = ['PetStatus', 'NewPet', 'Pets', 'InventoryUpdate']

type Document = [name: string, validators: Validators, isNamed: (schema: string) => boolean]

const DOCUMENTS: Document[] = [
  ['openapi', openapiValidators, (schema) => !UNNAMED.includes(schema)],
  // Compiling it takes seconds, and the code that generates both is the same.
  ...(isFullRun ? ([['admin', adminValidators, () => false]] satisfies Document[]) : []),
]

describe.each(DOCUMENTS)('the compiled validators of %s.yaml', (name, { operations, schemas }, isNamed) => {
  const fresh = compileFreshly(name)
  const named = fresh.schemas.filter(isNamed)

  it('cover its operations and its schemas', () => {
    expect(Object.keys(operations)).toEqual(fresh.operationIds)
    expect(Object.keys(schemas)).toEqual(named)
  })

  it.each(fresh.operationIds)('report the same for a request of %s as Ajv', (id) => {
    const [parameters, body, ...others] = fresh.request(id).toReversed()
    const [ourParameters, ourBody, ...ourOthers] = operations[id]?.request.toReversed() ?? []
    expectToAgree(ourParameters, parameters, withoutHeaders(parameters?.schema))
    expect(ourBody !== undefined).toBe(body !== undefined)
    if (body) expectToAgree(ourBody, body)
    expect([others, ourOthers]).toEqual([[], []])
  })

  it.each(fresh.operationIds)('report the same for a response of %s as Ajv', (id) => {
    const responses = fresh.responses(id)
    expect(Object.keys(operations[id]?.responses ?? {})).toEqual(Object.keys(responses))
    for (const [status, response] of Object.entries(responses))
      expectToAgree(operations[id]?.responses[status], response)
  })

  it.each(named)('report every violation in a %s that Ajv reports', (schema) => {
    expectToAgree(schemas[schema], fresh.schema(schema))
  })
})

it('the values include many valid and many invalid ones', () => {
  const many = (2000 * VALUES_EACH) / 60
  expect(tally.accepted).toBeGreaterThan(many)
  expect(tally.rejected).toBeGreaterThan(many)
})

describe('the message for an invalid admin request', () => {
  const sentenceOf = (validate: Validate | undefined, value: unknown) => {
    expect(validate?.(value)).toBe(false)
    // The first violation decides the message.
    return (validate?.errors ?? [])
      .slice(0, 1)
      .map((error) => describeViolation(error, (pointer) => pointer.slice('/requestBody'.length)))
  }

  it.each([
    [
      'addFault',
      { delayMs: 'soon' },
      '/delayMs must be an integer from 0 to 600000 or a list of two, but is the string "soon"',
    ],
    [
      'addFault',
      { delayMs: Array(99).fill(1) },
      '/delayMs must be an integer from 0 to 600000 or a list of two, but is an array of 99 items',
    ],
    ['addFault', { probability: 2 }, '/probability must be a number from 0 to 1, but is the number 2'],
    [
      'addFault',
      { kind: 'flood' },
      '/kind must be one of error, delay, reset, timeout, truncate, malformed, slow, but is the string "flood"',
    ],
    ['addFault', { delay: 5 }, '/delay is unknown. Did you mean "delayMs"?'],
    ['addFault', null, ' must be an object, but is null'],
    ['takeSnapshot', {}, '/name is missing: it must be 1 to 64 letters, digits, ".", "_" or "-", and not only dots'],
    [
      'advanceClock',
      { by: 'tomorrow' },
      '/by must be an integer from -9007199254740991 to 9007199254740991 or an ISO 8601 duration such as P1DT2H, but is the string "tomorrow"',
    ],
    ['replaceState', { pets: {} }, '/pets must be a list, each item an object, but is an object'],
    ['replaceState', { pets: [7] }, '/pets/0 must be an object, but is the number 7'],
  ])('is one sentence: %s %o', (operation, requestBody, sentence) => {
    expect(sentenceOf(adminValidators.operations[operation]?.request[0], { requestBody })).toEqual([sentence])
  })

  it('has every violation if a rule is checked by name', () => {
    const validate = ruleValidators.schemas.FaultRule
    expect(validate?.({ delayMs: [1], times: 0, extra: 1 })).toBe(false)
    expect(validate?.errors?.map((error) => describeViolation(error, (pointer) => pointer)).sort()).toEqual([
      '/delayMs must be an integer from 0 to 600000 or a list of two, but is the array [1]',
      '/extra is unknown. Available: operation, method, path, match, status, code, message, headers, delayMs, kind, times, after, probability, expiresAfterMs, enabled, sequence.',
      '/times must be an integer from 1 to 9007199254740991, but is the number 0',
    ])
  })
})

describe('the published code', () => {
  it('does not use eval, so that a page may forbid it', () => {
    const folder = new URL('src/generated/petstore/', root)
    for (const file of readdirSync(folder).filter((name) => name.endsWith('-validators.ts'))) {
      expect(readFileSync(new URL(file, folder), 'utf8'), file).not.toMatch(/\beval\b|\bFunction\b|\brequire\b/)
    }
  })

  it('has a schema compiler only in the chunk for documents without precompiled validators', async () => {
    const { metafile } = await build({ ...inNode, entryPoints: ['src/petstore/contract.ts'], write: false })
    const inputs = Object.keys(metafile.inputs)
    expect(inputs.filter((input) => /^node_modules\/openapi-backend\/[^/]+$/.test(input)).sort()).toEqual([
      'node_modules/openapi-backend/router.js',
      'node_modules/openapi-backend/validation.js',
    ])
    const withAjv = Object.entries(metafile.outputs).flatMap(([file, output]) =>
      Object.keys(output.inputs).some((input) => input.startsWith('node_modules/ajv')) ? [file] : [],
    )
    expect(withAjv).toEqual([expect.stringMatching(/ajv-functions-\w+\.js$/)])
  })
})
