import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { readDocumentPattern } from '../../src/document/schema/document-pattern.js'
import { LinearRegExp, UnsupportedPattern } from '../../src/document/schema/linear-regexp.js'
import { isFullRun } from '../support/full-run.js'

const RUNS = { seed: 83, numRuns: isFullRun ? 50_000 : 1000 }

const CHARACTERS = ['a', 'b', 'A', '1', '_', '-', ' ', '\n', 'é', 'ſ', '\u{1f98a}', '\u{1f43e}']
const ATOMS = [
  ...CHARACTERS,
  ...[
    '.',
    '^',
    '$',
    '\\b',
    '\\B',
    '\\d',
    '\\W',
    '\\s',
    '[ab]',
    '[^a]',
    '[^]',
    '[]',
    '[a-z\\]]',
    '[\\d_-]',
    '\\.',
    '\\/',
  ],
  ...['\\x61', '\\u0061', '\\cJ', '\\0', '\\t', '\\xg', '{', '}', ']', '{,2}', '\\u{61}', '\\p{L}', '\\P{Lu}'],
  ...['\\ud83e\\udd8a', '\\012', '\\-', '\\X41'],
]
const QUANTIFIERS = ['', '', '', '*', '+', '?', '{2}', '{1,}', '{0,2}', '{0}', '*?', '+?', '??', '{1,2}?']
const GROUPS = ['(', '(?:', '(?<n>', '(?=', '(?!', '(?<=', '(?<!']

const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  pattern: fc
    .array(fc.array(tie('part'), { maxLength: 3 }), { minLength: 1, maxLength: 2 })
    .map((alternatives) => alternatives.map((parts) => parts.join('')).join('|')),
  part: fc
    .tuple(
      fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom(...ATOMS),
        fc.tuple(fc.constantFrom(...GROUPS), tie('pattern')).map(([open, inner]) => `${open}${inner})`),
      ),
      fc.constantFrom(...QUANTIFIERS),
    )
    .map(([atom, quantifier]) => atom + quantifier),
}))

const text = fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 8 }).map((all) => all.join(''))
const flags = fc.constantFrom('', 'i', 'm', 's', 'u', 'iu', 'ims', 'imsu')

function isValid(source: string, given: string): boolean {
  try {
    return Boolean(new RegExp(source, given))
  } catch {
    return false
  }
}

const work = () => ({ left: 1_000_000 })

describe('a regular expression in linear time', () => {
  it('matches what RegExp matches', () => {
    const counts = { matched: 0, other: 0 }
    fc.assert(
      fc.property(pattern, flags, fc.array(text, { minLength: 1, maxLength: 5 }), (source, given, texts) => {
        fc.pre(isValid(source, given))
        const linear = new LinearRegExp(source, given)
        // From the start: V8 also tries the middle of a surrogate pair, where /\B/u matches, unlike the specification.
        const regExp = new RegExp(`[^]*?(?:${source})`, `${given}y`)
        for (const each of texts) {
          regExp.lastIndex = 0
          const expected = regExp.test(each)
          counts[expected ? 'matched' : 'other'] += 1
          expect([each, linear.test(each, work())]).toEqual([each, expected])
        }
      }),
      RUNS,
    )
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(300)
  })

  it('is what a pattern of a document becomes, or RegExp where that takes no longer', () => {
    const counts = { plain: 0, linear: 0 }
    const anchored = fc.tuple(fc.constantFrom('^', ''), pattern).map((parts) => parts.join(''))
    fc.assert(
      fc.property(anchored, text, (source, each) => {
        const flags = ['u', ''].find((known) => isValid(source, known))
        const read = readDocumentPattern(source)
        expect(read === 'is not a regular expression of JavaScript').toBe(flags === undefined)
        if (typeof read === 'string') return
        counts[read instanceof LinearRegExp ? 'linear' : 'plain'] += 1
        // From the start, as above.
        expect(read.test(each)).toBe(new RegExp(`^[^]*?(?:${source})`, flags).test(each))
      }),
      RUNS,
    )
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(80)
  })

  it.each([
    ['^[a-z0-9_-]{1,256}$', true],
    ['^cus_[a-zA-Z0-9]{14}$', true],
    ['^\\d{4}-\\d\\d-\\d\\d$', true],
    ['[a-z]+$', false],
    ['^a*a*$', false],
    ['^(a+)+$', false],
    ['^a|b+$', false],
    ['^a*a{120}$', false],
  ])('is not needed for a pattern of a document such as %s: %s', (source, isPlain) => {
    expect(readDocumentPattern(source)).toBeInstanceOf(isPlain ? RegExp : LinearRegExp)
    expect(readDocumentPattern(source) instanceof LinearRegExp).toBe(!isPlain)
  })

  it.each([
    ['(', 'is not a regular expression of JavaScript'],
    ['(a)\\1', 'has a backreference, which is not supported'],
    ['a{5000}', 'is too long, or repeats too much'],
  ])('does not exist for the pattern %s of a document', (source, problem) => {
    expect(readDocumentPattern(source)).toBe(problem)
  })

  it.each([
    ['^(a+)+$', 'a'.repeat(10_000)],
    ['^(a|a)*$', 'a'.repeat(10_000)],
    ['(a|aa)+$', 'a'.repeat(10_000)],
    ['a*a*a*a*a*a*a*a*a*a*c', 'a'.repeat(10_000)],
    ['^(?:(?:.*!|a)*!|a)*$', 'a'.repeat(10_000)],
    ['(?:(?=.*c)a)*c', 'a'.repeat(10_000)],
    ['(?<=^(a*)*)c', 'a'.repeat(10_000)],
  ])('tests %s in a number of steps that grows with the text', (source, long) => {
    const left = { left: 1_000_000 }
    expect(new LinearRegExp(source).test(`${long}b`, left)).toBe(false)
    expect(left.left).toBeGreaterThan(0)
  })

  it('stops when the work is used up, which all regular expressions share', () => {
    const shared = { left: 300 }
    expect(new LinearRegExp('^a').test('b'.repeat(50), shared)).toBe(false)
    const tooMuch = expect.objectContaining({ code: 'LIMIT_REACHED', status: 422 })
    expect(() => new LinearRegExp('^a').test('b'.repeat(50), shared)).toThrow(tooMuch)
    expect(() => new LinearRegExp('^a').test('b'.repeat(50), shared)).toThrow(tooMuch)
  })

  it.each([
    ['(a)\\1', '', 'has a backreference, which is not supported'],
    ['(?<n>a)\\k<n>', '', 'has a backreference, which is not supported'],
    ['\\c', '', 'has \\c without a letter, which is not supported'],
    ['a{1001}', '', 'is too long, or repeats too much'],
    ['((a{100}){100}){100}', '', 'is too long, or repeats too much'],
    ['(?:){1000000000}', '', 'is too long, or repeats too much'],
    ['(?:a?){0,1000000000}', '', 'is too long, or repeats too much'],
  ])('does not support %s', (source, given, message) => {
    expect(() => new LinearRegExp(source, given)).toThrow(new UnsupportedPattern(message))
  })

  it('rejects what RegExp rejects, and shows what it was given', () => {
    expect(() => new LinearRegExp('(')).toThrow(SyntaxError)
    expect(() => new LinearRegExp('a', 'x')).toThrow(SyntaxError)
    expect(new LinearRegExp('a/b\n', 'si')).toMatchObject({ source: 'a/b\n', flags: 'si' })
  })
})

it('keeps no set of the positions of a lookahead, which takes longer to fill than the work that is counted', () => {
  const add = vi.spyOn(Set.prototype, 'add')
  const work = { left: 10_000 }
  const matches = new LinearRegExp('(?=a)b').test('a'.repeat(100), work)
  const positions = add.mock.calls.filter(([value]) => typeof value === 'number')
  add.mockRestore()
  expect([matches, positions, work.left < 10_000]).toEqual([false, [], true])
})
