import { apiError } from '../../http/errors.js'

/** How many steps regular expressions may still take, together. */
export interface Work {
  left: number
}

/** A regular expression that cannot be tested in linear time. The message continues a sentence that names it. */
export class UnsupportedPattern extends Error {}

/** Larger than what a person writes. Repetitions such as `{1,50}` count as often as they repeat. */
const MAX_STATES = 1000

/** Groups inside groups are read by functions that call themselves. */
const MAX_LENGTH = 1000

/**
 * A regular expression from outside. RegExp tries one way to match after the other, which can take longer than anyone
 * waits; this one follows all ways at once, so that the time grows with the length of the text and of the pattern only.
 * Backreferences, modifiers such as `(?i:a)` and the flag `v` are not supported: the constructor throws UnsupportedPattern. It
 * throws a SyntaxError when that of RegExp does.
 */
export class LinearRegExp extends RegExp {
  readonly #start: State

  constructor(pattern: string, flags = '') {
    super(pattern, flags)
    // As they were given: RegExp would escape slashes, and sort the flags.
    Object.defineProperties(this, { source: { value: pattern }, flags: { value: flags } })
    this.#start = compile(pattern, flags)
  }

  /** Throws LIMIT_REACHED when no work is left. */
  override test(text: string, work: Work = { left: Number.POSITIVE_INFINITY }): boolean {
    // Before the text is split into characters, which takes memory.
    if (text.length > work.left) throw tooMuchWork()
    const units = this.unicode ? [...text] : text.split('')
    return findEnds(this.#start, { units, work, found: new Map() }).next().done === false
  }
}

/** A place in the pattern. Either the next character must match, or it leads on without one, if a condition holds. */
type State = CharacterState | EmptyState

interface CharacterState {
  readonly matches: (unit: string) => boolean
  readonly next: State
}

interface EmptyState {
  readonly nexts: State[]
  readonly holds?: (at: number, run: Run) => boolean
}

const END: State = { nexts: [] }

interface Run {
  /** Characters, or code points with the flag `u`. */
  readonly units: readonly string[]
  readonly work: Work
  /** Where each lookahead and lookbehind holds: 1 at each of these positions. */
  readonly found: Map<State, Uint8Array>
}

/** The positions where a match ends that starts anywhere. Read backwards, it ends at its first character. */
function* findEnds(start: State, run: Run, isBackwards = false): Generator<number> {
  const { units, work } = run
  let states = new Set([start])
  for (let count = 0; count <= units.length; count++) {
    const at = isBackwards ? units.length - count : count
    const unit = units[isBackwards ? at - 1 : at]
    const following = new Set([start])
    // What is added is visited as well, each state once.
    for (const state of states) {
      work.left -= 'nexts' in state ? 1 + state.nexts.length : 1
      if (work.left < 0) throw tooMuchWork()
      if (state === END) yield at
      else if ('matches' in state) {
        if (unit !== undefined && state.matches(unit)) following.add(state.next)
      } else if (state.holds === undefined || state.holds(at, run)) {
        for (const next of state.nexts) states.add(next)
      }
    }
    states = following
  }
}

/** Not a set, which takes longer to fill than the work takes that is counted. */
function findPositions(start: State, run: Run, isBackwards: boolean): Uint8Array {
  const positions = new Uint8Array(run.units.length + 1)
  for (const end of findEnds(start, run, isBackwards)) positions[end] = 1
  return positions
}

function tooMuchWork() {
  return apiError(
    'LIMIT_REACHED',
    'The regular expressions of faults, overrides or a filter take too long for this text.',
  )
}

/** A part of the pattern: returns where it starts, given what follows it. */
type Part = (next: State) => State

/** The pattern must be one that RegExp accepts. */
function compile(pattern: string, flags: string): State {
  if (pattern.length > MAX_LENGTH) throw new UnsupportedPattern(`has more than ${MAX_LENGTH} characters`)
  if (flags.includes('v')) throw new UnsupportedPattern('has the flag v, which is not supported')
  const tokens = splitPattern(pattern, flags)
  let position = 0
  let size = 0

  function count(states: number): void {
    size += states
    if (size > MAX_STATES) throw new UnsupportedPattern('is too long, or repeats too much')
  }

  function fork(nexts: State[]): EmptyState {
    count(nexts.length)
    return { nexts }
  }

  function readAlternatives(isBackwards: boolean): Part {
    const alternatives: Part[] = []
    let parts: Part[] = []
    const endAlternative = () => {
      const sequence = isBackwards ? parts : parts.toReversed()
      alternatives.push((next) => sequence.reduce((following, part) => part(following), next))
      parts = []
    }
    while (position < tokens.length) {
      const token = tokens[position++] as string
      if (token === ')') break
      if (token === '|') endAlternative()
      else parts.push(readQuantifier(readPart(token, isBackwards)))
    }
    endAlternative()
    return (next) => fork(alternatives.map((part) => part(next)))
  }

  function readPart(token: string, isBackwards: boolean): Part {
    if (token === '(?') throw new UnsupportedPattern('has modifiers such as (?i:a), which are not supported')
    if (/^\\[1-9k]/.test(token)) throw new UnsupportedPattern('has a backreference, which is not supported')
    if (token === '\\c') throw new UnsupportedPattern('has \\c without a letter, which is not supported')
    if (/^\(\?<?[=!]/.test(token)) return readLookaround(token)
    if (token.startsWith('(')) return readAlternatives(isBackwards)
    return /^(?:[\^$]|\\[bB])$/.test(token) ? readAssertion(token) : readCharacter(token)
  }

  function readCharacter(token: string): Part {
    // RegExp knows best what a single character or class matches.
    const regExp = new RegExp(`^(?:${token})$`, flags.replace('m', ''))
    return (next) => {
      count(1)
      return { matches: (unit) => regExp.test(unit), next }
    }
  }

  function readAssertion(token: string): Part {
    const regExp = new RegExp(token, `${flags}y`)
    const holds = (at: number, { units }: Run) => {
      const before = units[at - 1] ?? ''
      regExp.lastIndex = before.length
      return regExp.test(before + (units[at] ?? ''))
    }
    return (next) => ({ ...fork([next]), holds })
  }

  /** A lookahead is read backwards from every position, so that one pass finds all positions where it holds. */
  function readLookaround(token: string): Part {
    const isAhead = !token.includes('<')
    const isNegative = token.endsWith('!')
    const start = readAlternatives(isAhead)(END)
    const holds = (at: number, run: Run) => {
      const positions = run.found.get(start) ?? findPositions(start, run, isAhead)
      run.found.set(start, positions)
      return (positions[at] === 1) !== isNegative
    }
    return (next) => ({ ...fork([next]), holds })
  }

  function readQuantifier(part: Part): Part {
    const quantifier = parseQuantifier(tokens[position])
    if (quantifier === undefined) return part
    position += 1
    return repeat(part, quantifier.min, quantifier.max)
  }

  function repeat(part: Part, min: number, max: number): Part {
    return (next) => {
      let state = next
      if (max === Number.POSITIVE_INFINITY) {
        const loop = fork([next])
        loop.nexts.push(part(loop))
        state = loop
      } else {
        for (let index = min; index < max; index++) state = fork([next, part(state)])
      }
      for (let index = 0; index < min; index++) {
        // The part may be empty, and have no states to count.
        count(1)
        state = part(state)
      }
      return state
    }
  }

  return readAlternatives(false)(END)
}

/** The tokens of a pattern that RegExp accepts. */
export function splitPattern(pattern: string, flags: string): string[] {
  return pattern.match(flags.includes('u') ? UNICODE_TOKEN : TOKEN) ?? []
}

/** How often the part before it may occur. Returns undefined for any other token. */
export function parseQuantifier(token = ''): { min: number; max: number } | undefined {
  const [found, symbol, min, comma, max] = QUANTIFIER.exec(token) ?? []
  if (found === undefined) return undefined
  if (symbol !== undefined) return { min: symbol === '+' ? 1 : 0, max: symbol === '?' ? 1 : Number.POSITIVE_INFINITY }
  return { min: Number(min), max: comma === '' ? Number(min) : Number(max || Number.POSITIVE_INFINITY) }
}

/** Groups and their ends, quantifiers, assertions, classes, escapes, and all other characters. */
const TOKEN =
  /\((?:\?(?:<?[=!]|:|<[^>]*>)?)?|(?:[*+?]|\{\d+,?\d*\})\??|\[(?:\\.|[^\]\\])*\]|\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|0[0-7]{0,2}|.)|./gs

/** The same with the flag `u`. */
const UNICODE_TOKEN =
  /\((?:\?(?:<?[=!]|:|<[^>]*>)?)?|(?:[*+?]|\{\d+,?\d*\})\??|\[(?:\\.|[^\]\\])*\]|\\(?:u\{[\da-fA-F]+\}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|[pP]\{[^}]*\}|x[\da-fA-F]{2}|c[a-zA-Z]|.)|./gsu

const QUANTIFIER = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??$/
