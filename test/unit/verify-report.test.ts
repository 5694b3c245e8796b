import { expect, it } from 'vitest'
import { toJson, toJunit, toText } from '../../src/cli/verify-report.js'
import type { Finding } from '../../src/verify/findings.js'
import { ON_THE_WAY, type OperationReport, type Report } from '../../src/verify/report.js'
import { parseXml } from '../support/xml.js'

const DIFFERENCE: Finding = {
  aspect: 'status 201→200',
  sent: 'POST /pets {"name":"Rex"}',
  expected: '201',
  received: '200',
  checks: ['createPet stores it', 'getPet answers it'],
}

function operation(name: 'listPets' | 'createPet' | 'getOrder', parts: Partial<OperationReport> = {}): OperationReport {
  const none = { failed: [], differences: [], skipped: [] }
  return { operation: name, method: 'GET', path: '/', passed: ['does it'], ...none, ...parts }
}

function reportOf(pets: OperationReport[], counts: Partial<Report> = {}): Report {
  const groups = [
    { name: 'Pets', operations: pets },
    { name: 'Store', operations: [operation('getOrder')] },
  ]
  const none = { failed: 0, skipped: 0, differences: 0, leftBehind: [] }
  return { baseUrl: 'http://a.test', passed: 2, groups, ...none, ...counts }
}

/** Everything that could end a text, a line, an attribute or a document, or steer a terminal. */
const HOSTILE =
  '<b a="x" c=\'y\'>&amp;]]>\u0000\u0007\u001b[31m\r\n\t\u007f\u0085\u2028\u202e\ufffe\uffff\ud800 --> €🐈'

const HOSTILE_REPORT = reportOf(
  [
    operation('createPet', {
      failed: ['stores it'],
      differences: [{ ...DIFFERENCE, aspect: `body /${HOSTILE}`, sent: HOSTILE, expected: HOSTILE, received: HOSTILE }],
      skipped: [{ check: HOSTILE, reason: HOSTILE }],
    }),
  ],
  { failed: 1, skipped: 1, differences: 1, baseUrl: `http://a.test/${HOSTILE}` },
)

it('is a line for each group where all is fine', () => {
  expect(toText(reportOf([operation('listPets'), operation('createPet')], { passed: 3 }))).toBe(
    [
      'petstore-mock verify http://a.test',
      '',
      '✓ Pets  2 operations, 2 checks',
      '✓ Store 1 operations, 1 checks',
      '',
      '3 passed, 0 failed, 0 skipped',
      '',
    ].join('\n'),
  )
})

it('tells of differences and of what was skipped below their operation, and ends with the counts', () => {
  const skipped = [
    { check: 'one', reason: 'it would change data' },
    { check: 'other', reason: 'it would change data' },
  ]
  const failed = { passed: [], failed: ['stores it', 'says where'], differences: [DIFFERENCE] }
  const pets = [operation('listPets', { skipped }), operation('createPet', failed)]
  expect(toText(reportOf(pets, { failed: 2, skipped: 2, differences: 1, leftBehind: ['order 7 (DELETE: 409)'] }))).toBe(
    [
      'petstore-mock verify http://a.test',
      '',
      'Pets',
      '  - listPets        1 passed, 2 skipped: it would change data',
      '  ✗ createPet       2 failed',
      '      status 201→200 (in 2 checks)',
      '        sent     POST /pets {"name":"Rex"}',
      '        expected 201',
      '        received 200',
      '✓ Store 1 operations, 1 checks',
      '',
      'Left behind: order 7 (DELETE: 409); a complete order cannot be deleted',
      '2 passed, 2 failed, 2 skipped: 1 difference',
      '',
    ].join('\n'),
  )
})

const [RED, GREEN, DIM] = ['\u001b[31m', '\u001b[32m', '\u001b[2m'] as const

it('has colours for a terminal only', () => {
  const report = reportOf([operation('createPet', { failed: ['stores it'], differences: [DIFFERENCE] })], { failed: 1 })
  expect(toText(report, true)).toContain(RED)
  expect(toText(report)).not.toContain('\u001b')
  // Without its colours it is the same text.
  const uncoloured = [RED, GREEN, DIM, '\u001b[0m'].reduce(
    (text, code) => text.replaceAll(code, ''),
    toText(report, true),
  )
  expect(uncoloured).toBe(toText(report))
})

it('lets nothing that a service sends break a line or steer the terminal', () => {
  const text = toText(HOSTILE_REPORT)
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u202e]/u)
  expect(text.trimEnd().split('\n')).toHaveLength(11)
  const long = { ...DIFFERENCE, received: 'x'.repeat(100_000) }
  expect(
    toText(reportOf([operation('createPet', { failed: ['stores it'], differences: [long] })])).length,
  ).toBeLessThan(2000)
})

it('is the report itself as JSON', () => {
  expect(JSON.parse(toJson(HOSTILE_REPORT))).toStrictEqual(HOSTILE_REPORT)
  const keys = Object.keys(JSON.parse(toJson(HOSTILE_REPORT)) as object)
  expect(keys).toStrictEqual(['baseUrl', 'passed', 'groups', 'failed', 'skipped', 'differences', 'leftBehind'])
})

it('is a suite for each operation and a case for each check as JUnit XML', () => {
  const skipped = [{ check: 'is left out', reason: 'it would change data' }]
  const elsewhere = { ...DIFFERENCE, aspect: 'header Location', checks: ['getPet answers it'] }
  const failed = { failed: ['stores it', ON_THE_WAY], differences: [DIFFERENCE, elsewhere] }
  const pets = [operation('listPets', { skipped }), operation('createPet', failed)]
  const xml = parseXml(toJunit(reportOf(pets, { passed: 3, failed: 2, skipped: 1 })))
  const attributesOf = (element: Element | null) =>
    Object.fromEntries([...(element?.attributes ?? [])].map(({ name, value }) => [name, value]))
  expect(attributesOf(xml.documentElement)).toStrictEqual({
    name: 'petstore-mock verify http://a.test',
    tests: '6',
    failures: '2',
    errors: '0',
    skipped: '1',
  })
  const suites = [...xml.querySelectorAll('testsuite')]
  expect(suites.map((suite) => suite.getAttribute('name'))).toStrictEqual([
    'Pets.listPets',
    'Pets.createPet',
    'Store.getOrder',
  ])
  expect(suites.map((suite) => suite.querySelectorAll('testcase').length)).toStrictEqual([2, 3, 1])
  expect(attributesOf(xml.querySelector('skipped'))).toStrictEqual({ message: 'it would change data' })
  const failureOf = (check: string) =>
    xml.querySelector(`[classname="Pets.createPet"][name="${check}"] > failure`) as Element
  expect(attributesOf(failureOf('stores it'))).toStrictEqual({
    type: 'difference',
    message: 'status 201→200: expected 201, received 200',
  })
  expect(failureOf('stores it').textContent).toBe(
    'status 201→200\n  sent: POST /pets {"name":"Rex"}\n  expected: 201\n  received: 200',
  )
  expect(failureOf(ON_THE_WAY).getAttribute('message')).toMatch(/^header Location: /)
})

it('is well-formed XML whatever a service sends', () => {
  const text = toJunit(HOSTILE_REPORT)
  expect(text).not.toMatch(/[^\P{Cc}\n]|[\ufffe\uffff]|\p{Surrogate}/u)
  const failure = parseXml(text).querySelector('failure')
  expect(failure?.textContent).toContain('<b a="x" c=\'y\'>&amp;]]>')
  expect(failure?.textContent).toContain('--> €🐈')
})
