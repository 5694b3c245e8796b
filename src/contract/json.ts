/**
 * Reads JSON without rounding. `JSON.parse` turns every number into a double; here an integer that a double cannot
 * hold comes back as a bigint, and a number that rounding would turn into an integer does not come back as one.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return MAY_ROUND.test(text) ? rebuild(text) : value
}

/** A double is exact for 15 digits, so only a longer number or one with an exponent can differ from what was written. */
const MAY_ROUND = /[0-9.]{16}|[0-9][eE]/

const TOKEN = /[[\]{}]|"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9][0-9.eE+-]*|true|false|null/g

type Container = { value: unknown[] | Record<string, unknown>; key: string | undefined }

/**
 * Builds the value a second time from its tokens. The text is known to be valid JSON, so this needs no checks of its
 * own; it keeps its own stack, so that deep nesting cannot exhaust the machine's.
 */
function rebuild(text: string): unknown {
  const open: Container[] = []
  let result: unknown
  for (const [token] of text.matchAll(TOKEN)) {
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
const MOST_DIGITS = 400

function readNumber(token: string): number | bigint {
  const rounded = Number(token)
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE](.+))?$/.exec(token) ?? []
  const significant = `${whole}${fraction}`.replace(/^0+/, '')
  const digits = significant.replace(/0+$/, '')
  if (digits === '') return rounded
  const zeros = Number(exponent) - fraction.length + (significant.length - digits.length)
  if (zeros < 0) return Number.isInteger(rounded) ? Number.NaN : rounded
  if (digits.length + zeros > MOST_DIGITS) return rounded * Number.POSITIVE_INFINITY
  return Number.isSafeInteger(rounded) ? rounded : BigInt(`${sign}${digits}${'0'.repeat(zeros)}`)
}
