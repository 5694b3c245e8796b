/**
 * Parses JSON without rounding, unlike `JSON.parse`: an integer that a double cannot hold becomes a bigint, and a fraction
 * that would be rounded to an integer becomes NaN.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return MAY_ROUND.test(text) ? rebuild(text) : value
}

/**
 * A double is exact for 15 digits, so only a longer number or one with an exponent can be rounded. The lookbehind makes the
 * pattern try each run of digits only once.
 */
const MAY_ROUND = /(?<![0-9.])[0-9.]{16}|[0-9][eE]/

/**
 * Builds the value again from its tokens. The text is valid JSON, so this needs no checks. Not recursive, so that deep
 * nesting cannot overflow the stack.
 */
function rebuild(text: string): unknown {
  const result: unknown[] = []
  const open = [result]
  for (const token of tokensOf(text)) {
    if (token === '[' || token === '{') {
      open.push([])
      continue
    }
    const isEnd = token === ']' || token === '}'
    const items = isEnd ? open.pop() : undefined
    const value = items === undefined ? readScalar(token) : token === ']' ? items : toObject(items)
    open.at(-1)?.push(value)
  }
  return result[0]
}

/** Names and values alternate. Assigning to `__proto__` would change the prototype; `fromEntries` adds a member. */
function toObject(items: readonly unknown[]): object {
  return Object.fromEntries(items.flatMap((name, index) => (index % 2 === 0 ? [[name, items[index + 1]]] : [])))
}

function readScalar(token: string): unknown {
  return /^[-0-9]/.test(token) ? readNumber(token) : JSON.parse(token)
}

/** More digits than any valid number has. Bounds the work for numbers such as 1e999999. */
const MAX_DIGITS = 400

function readNumber(token: string): number | bigint {
  const rounded = Number(token)
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE](.+))?$/.exec(token) ?? []
  const written = `${whole}${fraction}`
  const digits = trimZeros(written)
  if (digits.text === '') return rounded
  const zeros = Number(exponent) - fraction.length + digits.trailingZeros
  if (zeros < 0) return Number.isInteger(rounded) ? Number.NaN : rounded
  if (digits.text.length + zeros > MAX_DIGITS) return rounded * Number.POSITIVE_INFINITY
  return Number.isSafeInteger(rounded) ? rounded : BigInt(`${sign}${digits.text}${'0'.repeat(zeros)}`)
}

/** Not a regular expression: one for trailing zeros would take quadratic time. */
function trimZeros(digits: string): { text: string; trailingZeros: number } {
  let start = 0
  while (digits[start] === '0') start += 1
  let end = digits.length
  while (end > start && digits[end - 1] === '0') end -= 1
  return { text: digits.slice(start, end), trailingZeros: digits.length - end }
}

/** Brackets, strings and words, without commas, colons and whitespace. */
function* tokensOf(text: string): Generator<string> {
  const pattern = /["[\]{}]|[-+.0-9A-Za-z]+/g
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (match[0] === '"') pattern.lastIndex = endOfString(text, match.index)
    yield text.slice(match.index, pattern.lastIndex)
  }
}

const BACKSLASH = 0x5c

/**
 * The index after the string that starts here, or the end of the text if the string is not closed. Not a regular
 * expression, which could overflow the stack for a long string.
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

/** Whether a text is printable ASCII that needs no escapes in JSON. Testing is twice as fast as `JSON.stringify`. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text)
}

/** `JSON.stringify`, but faster for plain text. */
export function stringifyText(text: string): string {
  return isPlain(text) ? `"${text}"` : JSON.stringify(text)
}

/** `JSON.stringify`, with bigints as digits. */
export function stringifyJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    // It contains a bigint. Ten times slower, so only when needed.
    return stringifyExactly(value)
  }
}

function stringifyExactly(value: unknown): string | undefined {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  // `map` would skip the holes of a sparse array.
  if (Array.isArray(value)) return `[${Array.from(value, (item) => stringifyExactly(item) ?? 'null').join(',')}]`
  if ('toJSON' in value && typeof value.toJSON === 'function') return stringifyExactly(value.toJSON())
  const members = Object.entries(value).flatMap(([name, member]) => {
    const text = stringifyExactly(member)
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
  })
  return `{${members.join(',')}}`
}
