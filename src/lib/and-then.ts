/** For what needs a promise only sometimes. */
export type MaybePromise<T> = T | Promise<T>

/**
 * Calls `next` with a value: at once, or when its promise resolves. Most requests need no promise, and one for each step
 * would make all of them slower.
 */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
