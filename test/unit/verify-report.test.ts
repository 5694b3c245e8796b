// @ts-expect-error jsdom has no types of its own
import { JSDOM } from 'jsdom'
import { describe, expect, it } from 'vitest'
import { toJson, toJunit, toText } from '../../src/cli/commands/verify.js'
import type { Id } from '../../src/lib/int64.js'
import { NEEDS_WRITES } from '../../src/tools/server/cannot-check.js'
import type { ChangedRecord } from '../../src/tools/verify/changed-records.js'
import type { Finding } from '../../src/tools/verify/findings.js'
import { IN_OTHER_CHECKS, type OperationReport, type Report } from '../../src/tools/verify/report.js'

const DIFFERENCE: Finding = {
  aspect: 'status 201→200',
  sent: 'POST /pets {"name":"Rex"}',
  expected: '201',
  received: '200',
  checks: ['createPet stores it', 'getPet returns it'],
}

function operation(name: 'listPets' | 'createPet' | 'getOrder', parts: Partial<OperationReport> = {}): OperationReport {
  const none = { failed: [], differences: [], skipped: [], undeclared: [] }
  return { operation: name, method: 'GET', path: '/', passed: ['does it'], ...none, ...parts }
}

function reportOf(pets: OperationReport[], parts: Partial<Report> = {}): Report {
  const groups = [
    { name: 'Pets', operations: pets },
    { name: 'Store', operations: [operation('getOrder')] },
  ]
  const counts = { passed: 2, failed: 0, skipped: 0, skippedWrites: 0, differences: 0 }
  const data = { wroteData: true, leftBehind: [], sampled: 9, changed: [] }
  return { baseUrl: 'http://a.test', ...counts, groups, ...data, ...parts }
}

const LEFT_BEHIND = [
  { kind: 'order', id: '7' as Id, reason: 'DELETE returned 409' },
  { kind: 'pet', claimedId: '8' as Id, reason: 'does not read back' },
  { kind: 'category', reason: 'no response' },
] as const

const CHANGED: readonly ChangedRecord[] = [
  { kind: 'pet', id: '1' as Id, before: '{"name":"Rex"}', after: '{"name":"Other"}' },
  { kind: 'inventory', id: '2' as Id, before: '{"quantity":1}' },
]

/** Everything that could end a string, a line, an attribute or a document, or control a terminal. */
const HOSTILE =
  '<b a="x" c=\'y\'>&amp;]]>\u0000\u0007\u001b[31m\r\n\t\u007f\u0085\u2028\u202e\ufffe\uffff\ud800 --> €🐈'

const HOSTILE_REPORT = reportOf(
  [
    operation('createPet', {
      failed: ['stores it'],
      differences: [{ ...DIFFERENCE, aspect: `body /${HOSTILE}`, sent: HOSTILE, expected: HOSTILE, received: HOSTILE }],
      skipped: [{ check: HOSTILE, reason: HOSTILE }],
      undeclared: [HOSTILE],
    }),
  ],
  {
    failed: 1,
    skipped: 1,
    differences: 1,
    baseUrl: `http://a.test/${HOSTILE}`,
    leftBehind: [{ kind: 'order', id: '7' as Id, reason: HOSTILE }],
    changed: [{ kind: 'pet', id: '1' as Id, before: HOSTILE, after: HOSTILE }],
  },
)

const [RED, GREEN, DIM] = ['\u001b[31m', '\u001b[32m', '\u001b[2m'] as const

describe('as text', () => {
  const linesOf = (report: Report) => toText(report).trimEnd().split('\n')

  it('lists differences and skipped checks below their operation, and ends with the counts', () => {
    const skipped = [
      { check: 'one', reason: 'the run was stopped' },
      { check: 'other', reason: 'the run was stopped' },
    ]
    const failed = { passed: [], failed: ['stores it', 'returns its location'], differences: [DIFFERENCE] }
    const pets = [operation('listPets', { skipped }), operation('createPet', failed)]
    expect(linesOf(reportOf(pets, { failed: 2, skipped: 2, differences: 1 }))).toStrictEqual([
      'petstore-mock verify http://a.test',
      '',
      'Pets',
      '  - listPets        1 passed, 2 skipped: the run was stopped',
      '  ✗ createPet       2 failed',
      '      status 201→200 (in 2 checks)',
      '        sent     POST /pets {"name":"Rex"}',
      '        expected 201',
      '        received 200',
      '✓ Store 1 operation, 1 check',
      '',
      '2 passed, 2 failed, 2 skipped: 1 difference',
    ])
  })

  it('lists checks that could not be made, by reason, and fields that the document does not have', () => {
    const skipped = [
      { check: 'does one thing', reason: 'there is no pet' },
      { check: 'does another', reason: 'there is no category' },
      { check: 'does a third', reason: 'there is no pet' },
    ]
    const pets = [operation('listPets', { undeclared: ['owner', 'tags'] }), operation('createPet', { skipped })]
    expect(linesOf(reportOf(pets, { skipped: 3 })).slice(2)).toStrictEqual([
      'Pets',
      '  ✓ listPets        1 passed',
      '  - createPet       1 passed, 3 skipped',
      '      not checked, because there is no pet',
      '        does one thing',
      '        does a third',
      '      not checked, because there is no category',
      '        does another',
      '✓ Store 1 operation, 1 check',
      '',
      'Fields that the OpenAPI document does not have, but allows:',
      '  listPets: owner, tags',
      '2 passed, 0 failed, 3 skipped',
    ])
  })

  it('lists the records that were left behind, and records of others that changed', () => {
    const report = reportOf([operation('listPets')], { leftBehind: LEFT_BEHIND, changed: CHANGED })
    expect(linesOf(report).slice(5)).toStrictEqual([
      'Left behind: 3 records that verify created',
      '  order 7: DELETE returned 409',
      '  pet with an unknown id (perhaps 8): does not read back',
      '  category with an unknown id: no response',
      'WARNING: 2 records that verify did not create changed during the run. Either another client',
      'changed them, or the service applied a request to the wrong record.',
      '  pet 1: {"name":"Rex"} → {"name":"Other"}',
      '  inventory 2: {"quantity":1} → deleted',
      '2 passed, 0 failed, 0 skipped',
    ])
    expect(toText(report, true)).toContain(`${RED}WARNING`)
    expect(toText(report, true)).toContain(`${RED}2 passed, 0 failed`)
  })

  it('has colours only for a terminal', () => {
    const failed = operation('createPet', { failed: ['stores it'], differences: [DIFFERENCE] })
    const report = reportOf([failed], { failed: 1 })
    expect(toText(report, true)).toContain(RED)
    expect(toText(report)).not.toContain('\u001b')
    const uncoloured = [RED, GREEN, DIM, '\u001b[0m'].reduce(
      (text, code) => text.replaceAll(code, ''),
      toText(report, true),
    )
    expect(uncoloured).toBe(toText(report))
  })

  it('lets nothing that a service sends break a line or control the terminal', () => {
    const text = toText(HOSTILE_REPORT)
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u202e]/u)
    expect(text.trimEnd().split('\n')).toHaveLength(20)
    const named = toText(
      reportOf([operation('get\u001b[2J' as 'listPets', { skipped: [{ check: 'a', reason: NEEDS_WRITES }] })]),
    )
    expect(named).not.toContain('\u001b')
    const long = { ...DIFFERENCE, received: 'x'.repeat(100_000) }
    const report = reportOf([operation('createPet', { failed: ['stores it'], differences: [long] })])
    expect(toText(report).length).toBeLessThan(2000)
  })
})

it('is the report itself as JSON', () => {
  expect(JSON.parse(toJson(HOSTILE_REPORT))).toStrictEqual(HOSTILE_REPORT)
})

describe('as JUnit XML', () => {
  const attributesOf = (element: Element | null) =>
    Object.fromEntries([...(element?.attributes ?? [])].map(({ name, value }) => [name, value]))

  it('has a suite for each operation and a case for each check', () => {
    const skipped = [{ check: 'is skipped', reason: NEEDS_WRITES }]
    const inAnotherHeader = { ...DIFFERENCE, aspect: 'header Location', checks: ['getPet returns it'] }
    const failed = { failed: ['stores it', IN_OTHER_CHECKS], differences: [DIFFERENCE, inAnotherHeader] }
    const pets = [operation('listPets', { skipped }), operation('createPet', failed)]
    const xml = parseXml(toJunit(reportOf(pets, { passed: 3, failed: 2, skipped: 1 })))
    expect(attributesOf(xml.documentElement)).toStrictEqual({
      name: 'petstore-mock verify http://a.test',
      tests: '7',
      failures: '2',
      errors: '0',
      skipped: '1',
    })
    const suites = [...xml.querySelectorAll('testsuite')]
    expect(suites.map((suite) => suite.getAttribute('name'))).toStrictEqual([
      'Pets.listPets',
      'Pets.createPet',
      'Store.getOrder',
      'verify.data',
    ])
    expect(suites.map((suite) => suite.querySelectorAll('testcase').length)).toStrictEqual([2, 3, 1, 1])
    expect(attributesOf(xml.querySelector('skipped'))).toStrictEqual({ message: NEEDS_WRITES })
    const failureOf = (check: string) =>
      xml.querySelector(`[classname="Pets.createPet"][name="${check}"] > failure`) as Element
    expect(attributesOf(failureOf('stores it'))).toStrictEqual({
      type: 'difference',
      message: 'status 201→200: expected 201, received 200',
    })
    expect(failureOf('stores it').textContent).toBe(
      'status 201→200\n  sent: POST /pets {"name":"Rex"}\n  expected: 201\n  received: 200',
    )
    expect(failureOf(IN_OTHER_CHECKS).getAttribute('message')).toMatch(/^header Location: /)
  })

  it.each<[string, Partial<Report>, string, object]>([
    ['passes', {}, '', { failures: '0', skipped: '0' }],
    ['is skipped if nothing was written', { wroteData: false }, 'skipped', { failures: '0', skipped: '1' }],
    ['fails if one changed', { changed: CHANGED }, 'failure', { failures: '1', skipped: '0' }],
    [
      'lists the records that were left behind',
      { leftBehind: LEFT_BEHIND },
      'system-out',
      { failures: '0', skipped: '0' },
    ],
  ])('has a case for the records of others, which %s', (_, parts, child, counts) => {
    const xml = parseXml(toJunit(reportOf([operation('listPets')], parts)))
    const suite = xml.querySelector('[name="verify.data"]')
    const test = suite?.querySelector('testcase')
    expect(attributesOf(suite)).toMatchObject({ tests: '1', ...counts })
    expect(attributesOf(xml.documentElement)).toMatchObject({ tests: '3', ...counts })
    expect(test?.getAttribute('name')).toBe('changes only records that verify created')
    expect([...(test?.children ?? [])].map(({ tagName }) => tagName)).toStrictEqual(child === '' ? [] : [child])
    if (parts.changed) expect(test?.textContent).toContain('inventory 2: {"quantity":1} → deleted')
    if (parts.leftBehind) expect(test?.textContent).toContain('order 7: DELETE returned 409')
  })

  it('is well-formed whatever a service sends', () => {
    const text = toJunit(HOSTILE_REPORT)
    expect(text).not.toMatch(/[^\P{Cc}\n]|[\ufffe\uffff]|\p{Surrogate}/u)
    const failure = parseXml(text).querySelector('failure')
    expect(failure?.textContent).toContain('<b a="x" c=\'y\'>&amp;]]>')
    expect(failure?.textContent).toContain('--> €🐈')
  })
})

/** Parses XML as strictly as a browser. Throws if it is not well-formed. */
function parseXml(text: string): Document {
  const { DOMParser } = (new JSDOM('') as { window: typeof globalThis }).window
  const document = new DOMParser().parseFromString(text, 'application/xml')
  const parserError = document.querySelector('parsererror')
  if (parserError) throw new Error(parserError.textContent ?? 'The XML is not well-formed.')
  return document
}
