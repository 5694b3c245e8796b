/**
 * Reads JSON without rounding. `JSON.parse` turns every number into a double; here an integer that a double cannot
 * hold comes back as a bigint, and a number that rounding would turn into an integer does not come back as one.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return MAY_ROUND.test(text) ? rebuild(text) : value
}

/**
 * A double is exact for 15 digits, so only a longer number or one with an exponent can differ from what was written. A run
 * of digits is tried at its beginning only, or a text full of shorter ones would take many times as long.
 */
const MAY_ROUND = /(?<![0-9.])[0-9.]{16}|[0-9][eE]/

type Container = { value: unknown[] | Record<string, unknown>; key: string | undefined }

/**
 * Builds the value a second time from its tokens. The text is known to be valid JSON, so this needs no checks of its
 * own; it keeps its own stack, so that deep nesting cannot exhaust the machine's.
 */
function rebuild(text: string): unknown {
  const open: Container[] = []
  let result: unknown
  for (const token of tokensOf(text)) {
    const parent = open.at(-1)
    if (token === ']' || token === '}') {
      open.pop()
    } else if (token.startsWith('"') && parent && !Array.isArray(parent.value) && parent.key === undefined) {
      parent.key = JSON.parse(token)
    } else {
      const value = token === '[' ? [] : token === '{' ? {} : readScalar(token)
      if (parent) append(parent, value)
      else result = value
      if (token === '[' || token === '{') open.push({ value: value as Container['value'], key: undefined })
    }
  }
  return result
}

function append(parent: Container, value: unknown): void {
  if (Array.isArray(parent.value)) {
    parent.value.push(value)
    return
  }
  // Assigning to `__proto__` would change the prototype instead of adding a member.
  Object.defineProperty(parent.value, parent.key as string, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
  parent.key = undefined
}

function readScalar(token: string): unknown {
  return /^[-0-9]/.test(token) ? readNumber(token) : JSON.parse(token)
}

/** No number of the contract has more digits than this, so a longer one need not be worked out. */
const MAX_DIGITS = 400

function readNumber(token: string): number | bigint {
  const rounded = Number(token)
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE](.+))?$/.exec(token) ?? []
  const written = `${whole}${fraction}`
  const digits = trimZeros(written)
  if (digits.text === '') return rounded
  const zeros = Number(exponent) - fraction.length + digits.zerosBehind
  if (zeros < 0) return Number.isInteger(rounded) ? Number.NaN : rounded
  if (digits.text.length + zeros > MAX_DIGITS) return rounded * Number.POSITIVE_INFINITY
  return Number.isSafeInteger(rounded) ? rounded : BigInt(`${sign}${digits.text}${'0'.repeat(zeros)}`)
}

/** By hand: a pattern for zeros at the end tries every run of zeros that is not at the end, all the way. */
function trimZeros(digits: string): { text: string; zerosBehind: number } {
  let start = 0
  while (digits[start] === '0') start += 1
  let end = digits.length
  while (end > start && digits[end - 1] === '0') end -= 1
  return { text: digits.slice(start, end), zerosBehind: digits.length - end }
}

const WORD = /[-+.0-9A-Za-z]+/y
const BETWEEN = /[ \t\r\n,:]*/y

/** The tokens that carry values, one after the other; commas, colons and blanks are passed over. */
function* tokensOf(text: string): Generator<string> {
  let index = 0
  for (;;) {
    BETWEEN.lastIndex = index
    BETWEEN.exec(text)
    const start = BETWEEN.lastIndex
    if (start === text.length) return
    const character = text[start] as string
    if (character === '"') {
      index = endOfString(text, start)
      yield text.slice(start, index)
    } else if ('[]{}'.includes(character)) {
      index = start + 1
      yield character
    } else {
      WORD.lastIndex = start
      const [word] = WORD.exec(text) as unknown as [string]
      index = start + word.length
      yield word
    }
  }
}

const BACKSLASH = 0x5c

/**
 * The place behind the string that starts here; the end of the text where it is never closed. Looks for the closing quote
 * instead of matching a pattern, which a long string would make run out of stack.
 */
export function endOfString(text: string, start: number): number {
  let quote = start
  for (;;) {
    quote = text.indexOf('"', quote + 1)
    if (quote < 0) return text.length
    let backslashes = 0
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return quote + 1
  }
}

const PLAIN = /^[ !#-[\]-~]*$/

/**
 * Whether a text is ASCII and stands in JSON as it is. Most are, and to find out takes half as long as to have it
 * written.
 */
export function isPlain(text: string): boolean {
  return PLAIN.test(text)
}

/** Writes a text as `JSON.stringify` does. */
export function stringifyText(text: string): string {
  return isPlain(text) ? `"${text}"` : JSON.stringify(text)
}

/** Writes JSON as `JSON.stringify` does, bigints as plain digits; undefined where the value has no JSON. */
export function stringifyJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    // It holds a bigint, which takes ten times as long.
    return stringifyExactly(value)
  }
}

function stringifyExactly(value: unknown): string | undefined {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  // `map` would leave the holes of a list.
  if (Array.isArray(value)) return `[${Array.from(value, (item) => stringifyExactly(item) ?? 'null').join(',')}]`
  if ('toJSON' in value && typeof value.toJSON === 'function') return stringifyExactly(value.toJSON())
  const members = Object.entries(value).flatMap(([name, member]) => {
    const text = stringifyExactly(member)
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
  })
  return `{${members.join(',')}}`
}
