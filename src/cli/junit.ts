import type { Difference } from '../tools/server/differences.js'
import { printable } from './io.js'

export interface JunitCase {
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** XML. */
  readonly content: string
}

export interface JunitSuite {
  readonly name: string
  readonly cases: readonly JunitCase[]
}

/** A report that CI systems can read. */
export function toJunitXml(name: string, suites: readonly JunitSuite[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeXml(name)}" ${toCounts(suites.flatMap(({ cases }) => cases))}>`,
    ...suites.flatMap(({ name: suite, cases }) => [
      `  <testsuite name="${escapeXml(suite)}" ${toCounts(cases)}>`,
      ...cases.map((each) => {
        const open = `    <testcase classname="${escapeXml(suite)}" name="${escapeXml(each.name)}"`
        return each.content === '' ? `${open}/>` : `${open}>${each.content}</testcase>`
      }),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

function toCounts(cases: readonly JunitCase[]): string {
  const count = (wanted: JunitCase['outcome']): number => cases.filter(({ outcome }) => outcome === wanted).length
  return `tests="${cases.length}" failures="${count('failed')}" errors="0" skipped="${count('skipped')}"`
}

export const toSkipped = (reason: string): string => `<skipped message="${escapeXml(reason)}"/>`

/** One failure for all differences, since readers of JUnit files show only the first of a case. */
export function toFailure(differences: readonly Omit<Difference, 'operation'>[]): string {
  const message = differences.map(
    ({ aspect, expected, received }) => `${aspect}: expected ${expected}, received ${received}`,
  )
  const text = differences.map(({ aspect, sent, expected, received }) =>
    [aspect, `  sent: ${sent}`, `  expected: ${expected}`, `  received: ${received}`].map(escapeXml).join('\n'),
  )
  return `<failure type="difference" message="${escapeXml(message.join('; '))}">${text.join('\n')}</failure>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** XML cannot represent most control characters. */
export function escapeXml(text: string): string {
  return printable(text)
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
