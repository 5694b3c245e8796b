import { nextTurn, runInSlices, type Steps } from './steps.js'

/** For what needs a promise only sometimes. */
export type MaybePromise<T> = T | Promise<T>

/**
 * Calls `next` with a value: at once, or when its promise resolves. Most requests need no promise, and one for each step
 * would make all of them slower.
 */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Creates a value at the first call and returns the same one from then on. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/**
 * The same for each object that it is made from, which must not change. Whoever looks something up in a list for each of its
 * items would otherwise look at the square of their number.
 */
export function oncePer<From extends object, T>(make: (from: From) => T): (from: From) => T {
  const known: Remembered<From, T> = new WeakMap()
  return (from) => oncePerIn(known, from, make)
}

export type Remembered<From extends object, T> = WeakMap<From, { readonly made: T }>

/**
 * The same for code that only reads documents. A bundler keeps what a module calls when it is loaded, such as `oncePer`; a new
 * map and functions that nobody calls it leaves out of pages that read none.
 */
export function oncePerIn<From extends object, T>(known: Remembered<From, T>, from: From, make: (from: From) => T): T {
  const found = known.get(from) ?? { made: make(from) }
  known.set(from, found)
  return found.made
}

/** Remembers what was made of texts, of which the same come again and again. */
export function oncePerText<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = make(text)
    // Clients choose some of them.
    if (known.size >= MAX_REMEMBERED) known.clear()
    if (text.length <= MAX_REMEMBERED_LENGTH) known.set(text, made)
    return made
  }
}

const MAX_REMEMBERED = 5000
const MAX_REMEMBERED_LENGTH = 200

/** One of several calls that may overlap. */
export interface Turn {
  /** Call before taking effect. False when a call that began later has already taken effect. */
  commit(): boolean
}

/** Decides between overlapping calls: the one that began last wins. A slow call must not undo a later one. */
export function createTurns(): { begin(): Turn } {
  let begun = 0
  let committed = 0
  return {
    begin() {
      begun += 1
      const turn = begun
      return {
        commit() {
          if (turn < committed) return false
          committed = turn
          return true
        },
      }
    },
  }
}

/** The task that `runInTurn` was called with last, until it is done. */
let lastInTurn: Promise<unknown> | undefined

/** Runs a task in slices when all earlier tasks are done, so that only one of them takes memory at a time. */
export async function runInTurn<T>(start: () => Steps<T>): Promise<T> {
  // Many short tasks, run back to back, would block for too long.
  const turn = lastInTurn?.then(() => nextTurn())
  const done = turn === undefined ? runInSlices(start()) : turn.then(() => runInSlices(start()))
  const settled = done.then(forget, forget)
  lastInTurn = settled
  return done

  function forget(): void {
    if (lastInTurn === settled) lastInTurn = undefined
  }
}

/** Calls `dispose` at the end of a `using` block. Hidden from comparisons and JSON. */
export function makeDisposable<T extends object>(object: T, dispose: () => void): T & Disposable {
  return define(object, Symbol.dispose, dispose)
}

/** Calls `dispose` at the end of an `await using` block. */
export function makeAsyncDisposable<T extends object>(object: T, dispose: () => Promise<void>): T & AsyncDisposable {
  return define(object, Symbol.asyncDispose, dispose)
}

/** Not every browser has these symbols yet. */
function define<T extends object, S extends symbol>(object: T, symbol: S | undefined, value: unknown): never {
  return (symbol === undefined ? object : Object.defineProperty(object, symbol, { value })) as never
}

/** Any value as text for a message, shortened. Never throws, unlike `String` for an object without a prototype. */
export function describeValue(value: unknown, maxLength = 200): string {
  for (const describe of [String, (odd: unknown) => Object.prototype.toString.call(odd)]) {
    try {
      const text = describe(value)
      return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
    } catch {
      // Try the next one.
    }
  }
  return 'a value that cannot be shown'
}

/** Like `instanceof Error`, which throws for some proxies. */
export function isError(value: unknown): value is Error {
  try {
    return value instanceof Error
  } catch {
    return false
  }
}

/**
 * The file and line where something was thrown, without frames of Node and of the package that `ownStack` comes from.
 * Undefined where stacks look different.
 */
export function placeIn(stack: string, ownStack = ''): string | undefined {
  const [own] = filesIn(ownStack)
  const ownFolder = own?.path.match(/^.*\/(?:dist|src)\//)?.[0]
  if (ownFolder === undefined) return undefined
  const found = filesIn(stack).find(({ path }) => !path.startsWith(ownFolder))
  return found && `${found.path.split('/').at(-1)}:${found.line}`
}

function filesIn(stack: string) {
  return [...stack.matchAll(FILE_AND_LINE)].map(([, path = '', line = '']) => ({ path, line }))
}

/** A frame, or the first line of a syntax error. A file that was imported again has a query. */
const FILE_AND_LINE = /^(?: *at (?:.*\()?)?((?:file:\/\/)?\/.+?)(?:\?[^:]*)?:(\d+)(?::\d+\)?)?$/gm
