import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../src/lib/json.js'

const RUNS = { seed: 8259, numRuns: 500 }
const LONG = '12345678901234567890'

/** Includes lone surrogates. */
const anyText = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) })

/** The value that `JSON.parse` would return for the same document. */
function rounded(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(rounded)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, rounded(member)]))
}

describe('an ordinary document', () => {
  it('is parsed like JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(rounded(parseJson(text))).toStrictEqual(JSON.parse(text))
      }),
      RUNS,
    )
  })

  it('is parsed the same beside a number that a double cannot represent', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        expect(rounded(parseJson(`{"long":${LONG},"rest":[${text}]}`))).toStrictEqual({
          long: Number(LONG),
          rest: [JSON.parse(text)],
        })
      }),
      RUNS,
    )
  })

  it('may have any text in its strings and keys', () => {
    fc.assert(
      fc.property(anyText, anyText, (key, value) => {
        const text = `{"long":${LONG},${JSON.stringify(`${key}!`)}:${JSON.stringify(value)}}`
        expect(rounded(parseJson(text))).toStrictEqual(JSON.parse(text))
      }),
      RUNS,
    )
  })

  it('may have whitespace between its tokens', () => {
    const text = `\n{ "a" :\t[ 1 , ${LONG} ,\r\n { } , [ ] , "x" ] , "b" : null , "c" : true , "d" : false }\n`
    expect(parseJson(text)).toStrictEqual({ a: [1, BigInt(LONG), {}, [], 'x'], b: null, c: true, d: false })
  })

  it('has the last of several members with the same name', () => {
    expect(parseJson(`{"a":${LONG},"b":2,"a":3}`)).toStrictEqual({ a: 3, b: 2 })
  })

  it('keeps the order of its members, integer-like names first as in every object', () => {
    const text = `{"b":1,"10":2,"a":${LONG},"2":3,"-1":4,"01":5}`
    expect(Object.keys(parseJson(text) as object)).toEqual(Object.keys(JSON.parse(text)))
  })
})

describe('a member called __proto__', () => {
  it('is an ordinary member', () => {
    const value = parseJson(`{"__proto__":{"polluted":${LONG}},"x":{"__proto__":1}}`) as Record<string, object>
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.keys(value)).toEqual(['__proto__', 'x'])
    expect(Object.getOwnPropertyDescriptor(value, '__proto__')?.value).toEqual({ polluted: BigInt(LONG) })
    expect(Object.keys(value.x ?? {})).toEqual(['__proto__'])
    expect('polluted' in {}).toBe(false)
  })

  it('does not change the prototype, and nor does a constructor', () => {
    const value = parseJson(`[${LONG},{"constructor":{"prototype":{"polluted":1}},"toString":2}]`) as object[]
    expect(Object.keys(value[1] ?? {})).toEqual(['constructor', 'toString'])
    expect('polluted' in {}).toBe(false)
  })
})

describe('an integer', () => {
  it('is exact, however deeply it is nested', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (integer) => {
        const value = parseJson(`{"a":[{"b":[[${integer}]]},${integer}],"c":${integer}}`)
        const expected = Number.isSafeInteger(Number(integer)) ? Number(integer) : integer
        expect(value).toEqual({ a: [{ b: [[expected]] }, expected], c: expected })
      }),
      RUNS,
    )
  })

  it('is exact with a fraction of zeros or an exponent', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 64n }), fc.nat(30), fc.boolean(), (magnitude, shift, negative) => {
        const sign = negative ? '-' : ''
        const integer = negative ? -magnitude : magnitude
        const expected = Number.isSafeInteger(Number(integer)) ? Number(integer) : integer
        const digits = String(magnitude).padStart(shift + 1, '0')
        const point = digits.length - shift
        expect(parseJson(`${integer}.000`)).toBe(expected)
        expect(parseJson(`${sign}${digits.slice(0, point)}.${digits.slice(point)}0e${shift}`)).toBe(expected)
        expect(parseJson(`${integer}${'0'.repeat(shift)}E-${shift}`)).toBe(expected)
      }),
      RUNS,
    )
  })

  it.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['1.0', 1],
    ['1e2', 100],
    ['1E+2', 100],
    ['1.5e1', 15],
    ['100e-2', 1],
    ['0e0', 0],
    ['0.000e999999999999', 0],
    ['9007199254740993e0', 9007199254740993n],
    ['9.007199254740993e15', 9007199254740993n],
    ['1e20', 10n ** 20n],
    ['1e308', 10n ** 308n],
    ['1e309', 10n ** 309n],
  ])('%s is exact', (text, expected) => {
    expect(parseJson(text)).toBe(expected)
    expect(parseJson(`[${LONG},${text}]`)).toEqual([BigInt(LONG), expected])
  })

  it('keeps the sign of zero as JSON.parse does', () => {
    expect(parseJson('-0')).toBe(-0)
    expect(parseJson(`[-0,-0.0,-0e5,${LONG}]`)).toEqual([-0, -0, -0, BigInt(LONG)])
  })
})

describe('a number with a fraction', () => {
  it.each(['0.5', '-2.25', '1e-1', '123456789.000001', '5e-324', '0.10000000000000000000001'])(
    '%s is the double nearest to it',
    (text) => {
      expect(parseJson(text)).toBe(Number(text))
    },
  )

  it.each([
    '0.99999999999999999999',
    '1.00000000000000000001',
    '-1.00000000000000000001',
    '4503599627370496.5001',
    '9007199254740993.5',
    '1e-400',
    '-1e-400',
    '1.5e-999999999999',
    '123456789012345678901e-1',
  ])('%s does not become the integer it would be rounded to', (text) => {
    expect(Number.isInteger(Number(text))).toBe(true)
    expect(Number.isInteger(parseJson(text))).toBe(false)
    expect(typeof parseJson(text)).toBe('number')
  })
})

describe('a number that is too large for a double', () => {
  it.each(['1e400', '1e401', '-1e400', '1e999999999999999999999', '123e99999'])('%s is infinite', (text) => {
    expect(parseJson(text)).toBe(text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY)
  })
})

describe('an expensive document', () => {
  const MILLION = 1_000_000

  it('may be nested 100,000 levels deep with a long number inside', () => {
    const depth = 100_000
    let value = parseJson('['.repeat(depth) + LONG + ']'.repeat(depth))
    for (let level = 0; level < depth; level++) value = (value as unknown[])[0]
    expect(value).toBe(BigInt(LONG))

    value = parseJson('{"a":'.repeat(depth) + LONG + '}'.repeat(depth))
    for (let level = 0; level < depth; level++) value = (value as Record<string, unknown>).a
    expect(value).toBe(BigInt(LONG))
  })

  it('may have strings of a megabyte, with escapes', () => {
    const long = 'x"\\\n\u0007é😀12345678901234567890'.repeat(40_000)
    const text = `[${JSON.stringify(long)},{${JSON.stringify(long)}:${LONG}}]`
    const [value, object] = parseJson(text) as [string, object]
    expect(value === long).toBe(true)
    expect(Object.keys(object)[0] === long).toBe(true)
  })

  it.each([
    ['\\n', MILLION],
    ['\\"', MILLION],
    ['\\\\', MILLION],
  ])('may have %s millions of times in one string', (sequence, times) => {
    const [value] = parseJson(`["${sequence.repeat(times)}",${LONG}]`) as [string]
    expect(value.length).toBe(times)
    expect(value.at(-1)).toBe(JSON.parse(`"${sequence}"`))
  })

  it.each([
    ['nines', '9'.repeat(MILLION)],
    ['zeros after a one', `1${'0'.repeat(MILLION)}`],
    ['digits in the exponent', `1e${'9'.repeat(MILLION)}`],
    ['digits and an exponent', `${'9'.repeat(MILLION)}e999999999`],
    ['nines after a minus', `-${'9'.repeat(MILLION)}`],
  ])('may have a number of a million %s, which is not calculated', (_, text) => {
    expect(Math.abs(parseJson(text) as number)).toBe(Number.POSITIVE_INFINITY)
  })

  it.each([
    ['nines after the decimal point', `0.${'9'.repeat(MILLION)}`],
    ['digits in the negative exponent', `1e-${'9'.repeat(MILLION)}`],
  ])('may have a number of a million %s, which is not an integer', (_, text) => {
    expect(parseJson(text)).toBeNaN()
  })

  it.each([
    ['between two ones', `1${'0'.repeat(MILLION)}1`, Number.POSITIVE_INFINITY],
    ['after the decimal point', `0.${'0'.repeat(MILLION)}1`, Number.NaN],
    ['after the decimal point of a one', `1.${'0'.repeat(MILLION)}1`, Number.NaN],
    ['after the decimal point and nothing else', `1.${'0'.repeat(MILLION)}`, 1],
    ['that an exponent cancels', `1${'0'.repeat(MILLION)}e-${MILLION}`, 1],
  ])('may have a number with a million zeros %s', (_, text, expected) => {
    expect(parseJson(text)).toBe(expected)
  })

  it('may have 100,000 long numbers', () => {
    const numbers = Array.from({ length: 100_000 }, (_, index) => 10n ** 18n + BigInt(index))
    expect(parseJson(`[${numbers.join(',')}]`)).toEqual(numbers)
  })
})

describe('text that is not JSON', () => {
  it.each([
    '',
    ' ',
    '{',
    '[1,]',
    '{"a":1,}',
    "{'a':1}",
    '01',
    '+1',
    '.5',
    '1.',
    '1e',
    'NaN',
    'Infinity',
    '-Infinity',
    'undefined',
    'hello',
    '"\n"',
    '"\\x"',
    '1 2',
    '{} x',
    '// 1\n1',
    '\uFEFF1',
    `[${LONG}`,
    `[${LONG},]`,
    `{"a":${LONG}} x`,
    `0${LONG}`,
    `${LONG}n`,
  ])('is rejected: %j', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError)
  })

  it('is rejected exactly when JSON.parse rejects it', () => {
    const almost = fc
      .tuple(fc.json({ maxDepth: 2 }), fc.nat(), fc.constantFrom('', ',', '"', ']', '}', ':', '1', 'e', '-', '\\'))
      .map(([text, at, change]) => {
        const position = at % (text.length + 1)
        return text.slice(0, position) + change + text.slice(position + 1)
      })
    fc.assert(
      fc.property(almost, (text) => {
        expect(succeeds(() => parseJson(text))).toBe(succeeds(() => JSON.parse(text)))
      }),
      RUNS,
    )
  })
})

function succeeds(run: () => unknown): boolean {
  try {
    run()
    return true
  } catch {
    return false
  }
}
