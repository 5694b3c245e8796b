import { describe, expect, it } from 'vitest'
import { toJunitXml } from '../../src/cli/junit.js'
import { escapeInvisible, printable, printableLines, quote, toPrintableJson } from '../../src/lib/text.js'
import { formatYaml, parseYaml } from '../../src/lib/yaml.js'

/** A sequence that controls a terminal, and characters that turn text around, hide in it or end a line. */
const HOSTILE = 'a\u001b[2J\u009b31m\u202eb\u200f\u2066c\u2028\u00ad\ufeff'
const RAW = /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u

describe('text for a terminal', () => {
  it('has no characters that control it or reorder the text', () => {
    expect(printable(HOSTILE.slice(0, -2))).not.toMatch(RAW)
    expect(printable('👩‍💻 \ud83d')).toBe('👩‍💻 \ufffd')
  })

  it('keeps its lines', () => {
    expect(printableLines('a\n  b\u009b\n')).toBe('a\n  b\ufffd\n')
  })

  it.each([
    ['JSON', JSON.parse(toPrintableJson({ [HOSTILE]: `\t${HOSTILE}\n` }, 2)), toPrintableJson(HOSTILE, 2)],
    ['YAML', parseYaml(formatYaml({ [HOSTILE]: `\t${HOSTILE}\n` })), formatYaml({ [HOSTILE]: [HOSTILE] })],
  ])('is escaped in %s, which stays the same', (_, value, text) => {
    expect(value).toEqual({ [HOSTILE]: `\t${HOSTILE}\n` })
    expect(text).not.toMatch(RAW)
  })

  it('is escaped in messages', () => {
    expect(quote('a\u009b\u202eb')).toBe('"a\\u009b\\u202eb"')
  })

  it('keeps the line feeds and tabs of code', () => {
    expect(escapeInvisible("{\n\t'\u009b'\n}")).toBe("{\n\t'\\u009b'\n}")
  })
})

it('names of operations are escaped in a JUnit report', () => {
  const xml = toJunitXml('x', [{ name: 'a"<b', cases: [{ name: 'c', outcome: 'passed', content: '' }] }])
  expect(xml).toContain('<testsuite name="a&quot;&lt;b"')
  expect(xml).toContain('classname="a&quot;&lt;b"')
})
