import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type Admin, ApiFailure, findMessage, splitBase, toBase } from '../../src/dashboard/api.js'
import { type Constraints, toProblem } from '../../src/dashboard/components/form.js'
import {
  CONSTRAINTS,
  checkHeaders,
  checkJson,
  DURATION,
  NAME,
  readText,
  SEED,
  toText,
} from '../../src/dashboard/components/values.js'
import { createEventReader } from '../../src/dashboard/events.js'
import { describeFault, describeOverride, failsAlways } from '../../src/dashboard/faults/describe.js'
import {
  explainFault,
  explainOverride,
  faultFields,
  isEditable,
  NEW_FAULT,
  overrideFields,
  toFault,
  toFaultChange,
  toFaultValues,
  toOverride,
  toOverrideValues,
} from '../../src/dashboard/faults/rule-fields.js'
import { prettyJson, toTokens } from '../../src/dashboard/format.js'
import { copyRequests } from '../../src/dashboard/requests/reproduction.js'
import { bodyText, createMerger, keyOf, targetOf } from '../../src/dashboard/requests/request-list.js'
import { splitRoute, toOtherInstance, toRoute } from '../../src/dashboard/router.js'
import { findSunset } from '../../src/dashboard/state/clock.js'
import { createPetstore, type FaultRule } from '../../src/index.js'

type JournalEntry = Admin['JournalEntry']

const entry = (given: Partial<JournalEntry> = {}): JournalEntry => ({
  id: 1,
  at: '2026-03-31T09:30:00.000Z',
  method: 'GET',
  path: '/pets',
  query: {},
  params: {},
  status: 200,
  durationMs: 1,
  request: { headers: {} },
  response: { headers: {} },
  ...given,
})

describe('the event reader', () => {
  const stream =
    'retry: 1000\n\nevent: state\ndata: {"type":"state"}\n\n: ping\n\nevent: reset\ndata: {"type":"reset"}\n\n'

  it('reads the data of each event, wherever the stream is split', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: stream.length }), { maxLength: 8 }), (cuts) => {
        const read = createEventReader()
        const positions = [0, ...cuts.toSorted((a, b) => a - b), stream.length]
        const pieces = positions.slice(1).map((end, index) => stream.slice(positions[index], end))
        expect(pieces.flatMap(read)).toEqual(['{"type":"state"}', '{"type":"reset"}'])
      }),
    )
  })

  it('waits for the rest of an incomplete event', () => {
    const read = createEventReader()
    expect(read('event: state\ndata: {"type"')).toEqual([])
    expect(read(':"state"}\n')).toEqual(['{"type":"state"}'])
  })
})

describe('a recorded request', () => {
  it('is copied as a test that reads no file, however much data there is', async () => {
    const categories = Array.from({ length: 500 }, (_, index) => ({ id: index + 1, name: `No ${index}` }))
    const petstore = createPetstore({ fixtures: { categories } })
    await petstore.fetch('/categories/500')
    const [request] = petstore.journal.entries()
    const adminAt = () => async (operation: string) =>
      operation === 'getReproduction' ? petstore.reproduction() : request
    const code = await copyRequests({ adminAt } as never, '', 'vitest', { first: request as JournalEntry, last: 1 })
    expect(code).not.toContain('readFileSync')
    expect(code).toContain(`{ id: 500, name: 'No 499' }`)
  })

  it('has a JSON string as its body, or a body that is not JSON', () => {
    const headers = { 'content-type': 'application/json' }
    const rejected = (code: string) =>
      entry({ request: { headers, body: 'abc' }, response: { headers, body: { code } } })
    const textOf = (given: JournalEntry) => bodyText(given, given.request)
    expect(textOf(rejected('MALFORMED_BODY'))).toBe('abc')
    expect(textOf(rejected('INVALID_REQUEST'))).toBe('"abc"')
    expect(textOf(entry())).toBe(undefined)
  })

  it('is listed in the order of arrival with those of sandboxes whose clocks differ', () => {
    const merge = createMerger()
    const journal = (name: string, ...times: string[]) => ({
      name,
      createdAt: '2026-03-31T09:00:00.000Z',
      lastUsedAt: '2026-03-31T09:30:00.000Z',
      entries: times.map((at, index) => entry({ id: index + 1, at })),
    })
    const keys = (...journals: ReturnType<typeof journal>[]) => merge(journals).map(keyOf)
    const root = ['2026-03-31T09:10:00.000Z', '2026-03-31T09:20:00.000Z']
    const ahead = ['2030-12-05T00:00:00.000Z', '2030-12-06T00:00:00.000Z', '2026-03-31T09:15:00.000Z']
    const behind = ['1999-01-01T00:00:00.000Z']
    expect(keys(journal('', ...root), journal('ahead', ...ahead), journal('behind', ...behind))).toEqual([
      'behind:1',
      ':1',
      ':2',
      'ahead:1',
      'ahead:2',
      'ahead:3',
    ])
    const later = journal('', ...root, '2026-03-31T09:29:00.000Z')
    const before = ['behind:1', ':1', ':2', 'ahead:1', 'ahead:2', 'ahead:3']
    expect(keys(later, journal('ahead', ...ahead), journal('behind', ...behind))).toEqual([...before, ':3'])
    expect(keys(later, journal('ahead', ...ahead), journal('behind', ...behind, ...behind))).toEqual([
      ...before,
      ':3',
      'behind:2',
    ])
  })

  it('has the query that was sent', () => {
    expect(targetOf(entry({ query: { limit: 0, complete: true, petId: 9007199254740993n } }))).toBe(
      '/pets?limit=0&complete=true&petId=9007199254740993',
    )
  })
})

describe('formatted JSON', () => {
  it('has the same value as without line breaks, and its tokens add up to the text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = prettyJson(value)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        const tokens = toTokens(text).map((token) => token.text)
        expect(tokens.join('')).toBe(text)
      }),
    )
  })
})

describe('routes', () => {
  it('are built and split', () => {
    const route = toRoute('/data/pets', { name: 'a&b?', sort: '', offset: undefined })
    expect(route).toBe('/data/pets?name=a%26b%3F')
    const { segments, query } = splitRoute(route)
    expect([segments, query.get('name')]).toEqual([['data', 'pets'], 'a&b?'])
    expect(splitRoute('/requests/%zz').segments).toEqual(['requests', '%zz'])
  })

  it('are those of the same tab in another instance, without what only one instance has', () => {
    expect(toOtherInstance('/requests/5?sandboxes=all&operation=getPet')).toBe('/requests?operation=getPet')
    expect(toOtherInstance('/data/pets?sort=-name')).toBe('/data/pets?sort=-name')
    expect(toOtherInstance('/sandboxes')).toBe('/requests')
  })

  it('know the sandbox of a base URL', () => {
    expect(splitBase('http://x:1/sandbox/a.b')).toEqual({ root: 'http://x:1', sandbox: 'a.b' })
    expect(splitBase('http://x:1')).toEqual({ root: 'http://x:1', sandbox: undefined })
    expect(toBase('http://x:1', 'a')).toBe('http://x:1/sandbox/a')
  })
})

describe('forms', () => {
  it('make fault rules that the mock accepts', () => {
    const petstore = createPetstore()
    const rules = [
      toFault(NEW_FAULT),
      toFault({ ...NEW_FAULT, status: '' }),
      toFault({ ...NEW_FAULT, kind: 'delay', delayMs: '5', maxDelayMs: '9', probability: '0.5' }),
      toFault({ ...NEW_FAULT, kind: 'timeout', operation: 'getPet', delayMs: '7', times: '', after: '2' }),
    ]
    expect(rules).toEqual([
      { status: 503, times: 1 },
      { kind: 'error', times: 1 },
      { kind: 'delay', delayMs: [5, 9], times: 1, probability: 0.5 },
      { kind: 'timeout', operation: 'getPet', after: 2 },
    ])
    for (const rule of rules) petstore.faults.add(rule)
    expect(petstore.faults.list()).toHaveLength(4)
  })

  it.each<readonly [string, FaultRule]>([
    ['a status', { status: 503, times: 1 }],
    ['a kind and a status', { kind: 'error', status: 503, delayMs: [1, 2] }],
    ['a message', { message: 'no', method: 'get', path: '/pets*', after: 0, probability: 1e-7, expiresAfterMs: 5 }],
    ['a delay and headers', { delayMs: 0, headers: { 'X-Note': 'a: b', 'Set-Cookie': ['a=1', 'b=2'] } }],
    ['a match', { kind: 'truncate', operation: 'createPet', match: { body: { categoryId: 9223372036854775807n } } }],
  ])('change only the changed fields of a rule with %s', (_, rule) => {
    const { faults } = createPetstore()
    const before = toFaultValues(faults.add(rule) as unknown as Admin['Fault'])
    expect(toFaultChange(before, before)).toEqual({})
    const after = { ...before, kind: 'error', status: '418', message: '', times: '3' }
    faults.update(1, toFaultChange(before, after))
    expect(toFaultValues(faults.list()[0] as unknown as Admin['Fault'])).toEqual(after)
  })

  it('send null for the fields that a rule loses', () => {
    const before = { ...NEW_FAULT, path: '/pets*', code: 'X' }
    expect(toFaultChange(before, { ...before, kind: 'timeout', path: '' })).toEqual({
      kind: 'timeout',
      path: null,
      status: null,
      code: null,
    })
  })

  it('leave empty fields out of an override, and send null as a body', () => {
    const form = { operation: 'listPets', status: '200', times: '2', body: '[]', headers: '', match: '' }
    expect(toOverride(form)).toEqual({ operation: 'listPets', status: 200, times: 2, body: [] })
    expect(toOverride({ ...form, body: 'null', unchecked: 'true', match: '{}' })).toEqual({
      operation: 'listPets',
      status: 200,
      times: 2,
      body: null,
      match: {},
      unchecked: true,
    })
  })

  it.each<readonly [string, object]>([
    ['JSON', { status: 200, body: [{ id: 9223372036854775807n }], times: 2 }],
    ['a status', { status: 404, headers: { 'Set-Cookie': ['a=1', 'b=2'] }, match: { query: { a: 'b' } } }],
    ['text', { status: 502, raw: true, body: '"<h1>' }],
    ['what the contract does not allow', { status: 200, unchecked: true, body: null }],
  ])('keep an override with %s as it is', (_, given) => {
    const override = { operation: 'listPets', ...given }
    expect(toOverride(toOverrideValues(override as Admin['Override']))).toEqual(override)
  })

  it('read headers line by line', () => {
    const text = 'X-Note: a: b\nset-cookie: a=1\nSet-Cookie: b=2\n__proto__: x\nX-Empty:'
    const headers = readText('headers', `\n${text.replaceAll('\n', '\r\n\r\n')}\n `)
    expect(Object.entries(headers as object)).toEqual([
      ['X-Note', 'a: b'],
      ['set-cookie', ['a=1', 'b=2']],
      ['__proto__', 'x'],
      ['X-Empty', ''],
    ])
    expect(readText('headers', toText('headers', headers))).toEqual(headers)
    expect(readText('headers', ' \n')).toBe(undefined)
  })

  it.each(['X-Note', ': a', 'X-Note: a\nb'])('reject the headers %j', (text) => {
    expect(checkHeaders(text, {})).toContain('"Name: value"')
  })

  const HEADERS: readonly (readonly [text: string, isAccepted: boolean])[] = [
    ['X-Note: a', true],
    ['Set-Cookie: a=1\nset-cookie: b=2', true],
    ['X-Note: a\nx-note: b', false],
    ['X Note: a', false],
    ['X-Note: \u2028', false],
    ['Content-Length: 5', false],
    ['content-type: text/html', false],
  ]

  it.each(HEADERS)('accept the headers %j as the mock does: %s', (text, isAccepted) => {
    expect(checkHeaders(text, {}) === undefined).toBe(isAccepted)
    const add = () => createPetstore().faults.add({ status: 500, headers: readText('headers', text) as never })
    if (isAccepted) add()
    else expect(add).toThrow(expect.objectContaining({ code: 'INVALID_FAULT' }))
  })

  it('accept a Content-Type for a response that is sent as it is', () => {
    expect(checkHeaders('content-type: text/html', { raw: 'true' })).toBe(undefined)
  })

  it('reject a text that is not JSON', () => {
    expect(readText('json', ' ')).toBe(undefined)
    expect(checkJson('{query}', {})).toMatch(/^this is not valid JSON\. /)
  })

  const MATCHES = [
    '[]',
    '{"quer":{}}',
    '{"query":[]}',
    '{"query":{"a":null}}',
    '{"query":{"a":{"matches":"("}}}',
    '{"query":{"a":{"matches":"a","flags":"g"}}}',
    '{"body":{"a":{"matches":"("}}}',
  ]

  const FORMS = [
    ['faults', toFault, explainFault],
    ['overrides', toOverride, explainOverride],
  ] as const

  it.each(MATCHES)('show at the match %s what the mock says about it', async (match) => {
    const petstore = createPetstore()
    for (const [path, toBody, explain] of FORMS) {
      const failure = await send(petstore, path, toBody({ operation: 'getPet', kind: 'error', status: '500', match }))
      expect(explain(failure)).toEqual({ field: 'match', text: expect.stringMatching(/^\/match.* /), failure })
    }
  })

  it('show at a field of a rule what the mock says about it, and at the body what it says about a response', async () => {
    const petstore = createPetstore()
    const explainedAs = async (body: object) => explainFault(await send(petstore, 'faults', body))
    expect(await explainedAs({ path: '/nothing' })).toMatchObject({
      field: 'path',
      text: expect.stringMatching(/^no operation has this path/),
    })
    expect(await explainedAs({ operation: 'nothing' })).toMatchObject({ field: 'operation' })
    expect(await explainedAs({ delayMs: [2, 1] })).toMatchObject({
      field: 'delayMs',
      text: '/delayMs must have the smaller number first',
    })
    const failure = await send(petstore, 'overrides', { operation: 'getPet', status: 200, body: { match: 1 } })
    expect(explainOverride(failure)).toMatchObject({
      field: 'body',
      text: expect.stringMatching(/^the contract does not allow this\. /),
    })
  })

  async function send(petstore: ReturnType<typeof createPetstore>, path: string, rule: object): Promise<ApiFailure> {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(rule) }
    const response = await petstore.fetch(`/__admin/${path}`, init)
    const { code, message } = (await response.json()) as { code: string; message: string }
    return new ApiFailure(code, message, response.status)
  }

  const RESPONSES: readonly (readonly [values: Record<string, string>, problem: RegExp | undefined])[] = [
    [{ operation: 'createPet', status: '201', body: '' }, undefined],
    [{ operation: 'createPet', status: '418', body: '' }, undefined],
    [{ operation: 'createPet', status: '200', body: '' }, /^createPet returns 201, or an error\. /],
    [{ operation: 'createPet', status: '200', body: '', unchecked: 'true' }, undefined],
    [{ operation: 'createPet', status: '204', body: '{}', raw: 'true' }, /^leave this empty\. /],
    [{ operation: 'createPet', status: '201', body: '{' }, /^this is not valid JSON\. /],
    [{ operation: 'createPet', status: '201', body: '{', raw: 'true' }, undefined],
  ]

  it.each(RESPONSES)('check the response of an override: %j', (values, problem) => {
    const { operations } = createPetstore().coverage() as Admin['Coverage']
    const { status = '', body = '' } = values
    const checkOf = (name: string) => overrideFields(values, operations).find((field) => field.name === name)?.check
    const found = checkOf('status')?.(status, values) ?? (body && checkOf('body')?.(body, values)) ?? ''
    expect(found || undefined).toEqual(problem && expect.stringMatching(problem))
  })

  it('point at a field by the error code alone', () => {
    const fieldOf = (code: string) => toProblem(new ApiFailure(code, '/name must be a string, but is null', 400))?.field
    expect(fieldOf('UNKNOWN_OPERATION')).toBe('operation')
    expect(fieldOf('UNKNOWN_SCENARIO')).toBe('scenario')
    expect(fieldOf('INVALID_REQUEST')).toBe(undefined)
  })
})

describe('constraints', () => {
  const { schemas } = parse(readFileSync(new URL('../../spec/admin.yaml', import.meta.url), 'utf8')).components

  const ALL = faultFields({ kind: 'error' })
  const RULES = [
    ['FaultRule', ALL.filter(({ name }) => name !== 'maxDelayMs'), ['enabled', 'sequence']],
    ['NewOverride', overrideFields({}), ['sequence']],
  ] as const

  it.each(RULES)('of the fields of %s are those of the OpenAPI document', (name, fields, leftOut) => {
    const { properties } = schemas[name]
    expect(fields.map((field) => field.name).sort()).toEqual(
      Object.keys(properties)
        .filter((property) => !leftOut.includes(property as never))
        .sort(),
    )
    for (const { name, min, max, maxLength, type, step, options } of fields) {
      const schema = name === 'delayMs' ? schemas.DelayMs : properties[name]
      expect({ min, max, maxLength }).toEqual({
        min: schema.minimum,
        max: schema.maximum,
        maxLength: options ? undefined : schema.maxLength,
      })
      const isNumber = /integer|number/.test(schema.type)
      expect([type, step]).toEqual(
        isNumber ? ['number', schema.type === 'number' ? 'any' : undefined] : [undefined, undefined],
      )
    }
  })

  it('of a kind of fault are those of its own fields', () => {
    const namesOf = (kind: string) => faultFields({ kind }).map(({ name }) => name)
    const all = namesOf('error')
    const without = (kind: string) => all.filter((name) => !namesOf(kind).includes(name))
    expect(without('slow')).toEqual(['status', 'code', 'message'])
    expect(without('reset')).toEqual(['status', 'headers', 'code', 'message'])
    expect(without('timeout')).toEqual(['status', 'delayMs', 'maxDelayMs', 'headers', 'code', 'message'])
    expect(faultFields({ kind: 'slow' }).filter(({ required }) => required)).toMatchObject([{ name: 'delayMs' }])
  })

  it('of the seed are those of the OpenAPI document', () => {
    expect(SEED).toEqual({ type: 'number', min: schemas.ResetTarget.properties.seed.minimum })
  })

  const PATH = ALL.find(({ name }) => name === 'path')
  const { id: ID, 'date-time': DATE_TIME } = CONSTRAINTS
  const accepts = ({ check }: Constraints, text: string) => check?.(text, {}) === undefined

  it.each([
    [NAME, 'before-checkout', true],
    [NAME, 'a'.repeat(64), true],
    [NAME, '...', false],
    [NAME, 'a'.repeat(65), false],
    [NAME, 'a/b', false],
    [ID, '-9223372036854775808', true],
    [ID, 'dogs', false],
    [ID, '9223372036854775808', false],
    [DATE_TIME, '2027-01-31T10:00:00.123+01:00', true],
    [DATE_TIME, '2027-01-31', true],
    [DATE_TIME, '2027-02-30', false],
    [DURATION, '-P1DT2H', true],
    [DURATION, '1 day', false],
    [PATH, '/pets*', true],
    [PATH, 'pets', false],
    [PATH, '/pets?limit=1', false],
    [PATH, '/*/pets', false],
  ] as const)('%j of %s: %s', (constraints, text, isAccepted) => {
    expect(accepts(constraints as Constraints, text)).toBe(isAccepted)
  })
})

describe('the description of a fault', () => {
  it.each([
    [{ status: 503, times: 1 }, 'Returns 503, at most 1 time'],
    [{ code: 'RATE_LIMITED', after: 2 }, 'Returns RATE_LIMITED, after 2 requests'],
    [{}, 'Returns 500'],
    [{ delayMs: [10, 20] }, 'Responds later, 10 to 20 ms'],
    [{ kind: 'slow', delayMs: 5, probability: 0.5 }, 'Responds slowly, in chunks, 5 ms, probability 0.5'],
    [{ kind: 'timeout', expiresAfterMs: 100 }, 'Never responds, expires after 100 ms'],
    [{ message: 'no', delayMs: 5 }, 'Returns 500, 5 ms'],
    [
      { sequence: [{ status: 503, kind: 'error' }, { delayMs: 5 }, { code: 'X' }, {}, { kind: 'timeout' }, 'pass'] },
      'In turn: 503, delay, X, 500, timeout, pass',
    ],
    [
      { status: 429, headers: { 'Retry-After': '2' }, match: { query: { a: 'b' } } },
      'Returns 429, 1 header, match {"query":{"a":"b"}}',
    ],
  ])('of %j is %j', (fault, description) => {
    expect(describeFault(fault as Admin['Fault'])).toBe(description)
  })
})

it.each([
  [{ status: 503 }, true],
  [{ status: 503, kind: 'error', delayMs: 5 }, true],
  [{ delayMs: 5 }, false],
  [{ kind: 'timeout' }, false],
  [{ status: 503, method: 'HEAD' }, false],
  [{ status: 503, path: '/pets/1' }, false],
  [{ status: 503, times: 1 }, false],
])('makes every request of its operation fail: %j is %j', (fault, isExpected) => {
  expect(failsAlways(fault as Admin['Fault'])).toBe(isExpected)
})

it.each([
  [{ status: 200, body: { id: 1 } }, true],
  [{ status: 502, raw: true, body: '<h1>Bad Gateway</h1>' }, true],
  // As JSON.
  [{ status: 200, raw: true, body: { id: 1 } }, false],
  // Bytes are not listed.
  [{ status: 200, raw: true }, false],
  [{ sequence: ['pass'] }, false],
])('can be edited as an override: %j is %j', (override, isExpected) => {
  expect(isEditable(override as unknown as Admin['Override'])).toBe(isExpected)
})

describe('the description of an override', () => {
  it.each([
    [{}, 'Made by a function in a test'],
    [
      { status: 200, headers: { A: '1', B: '2' }, times: 2, match: { query: { a: 'b' } }, unchecked: true },
      'Status 200, 2 headers, at most 2 times, not checked against the contract, match {"query":{"a":"b"}}',
    ],
  ])('of %j is %j', (override, description) => {
    expect(describeOverride(override as Admin['Override'])).toBe(description)
  })
})

describe('the sunset date', () => {
  it('is read from the coverage', () => {
    expect(findSunset(createPetstore().coverage() as never)).toEqual({
      operations: ['getPet'],
      date: '2030-12-05',
      after: '2030-12-05T00:00:01.000Z',
    })
  })
})

it.each([
  [{ code: 'BOOK_LENT', message: 'Book 1 is lent.' }, 'Book 1 is lent.'],
  [{ title: 'Bad Request', detail: '/title is missing.' }, '/title is missing.'],
  [{ error: { message: 'No such book.' } }, 'No such book.'],
  [{ error: 'No such book.' }, 'No such book.'],
  [{ reason: 7 }, undefined],
  [undefined, undefined],
])('finds what the error of a service says: %j', (body, message) => {
  expect(findMessage(body)).toBe(message)
})
