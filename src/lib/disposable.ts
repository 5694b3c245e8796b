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
