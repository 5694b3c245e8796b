type AnyFunction = (this: unknown, ...args: unknown[]) => unknown

interface ReplaceOptions {
  /** Whether msw starts afterwards. It replaces the function again, and when it stops, it puts back the property it found. */
  readonly beforeMsw?: boolean
}

/**
 * Wraps a function of an object. Returns a function that puts the original back, unless something else has replaced it
 * since. Does nothing if the object has no such function, or if it is not configurable.
 */
export function replaceFunction(
  owner: object,
  name: string,
  wrap: (original: AnyFunction) => AnyFunction,
  { beforeMsw = false }: ReplaceOptions = {},
): () => void {
  const original: unknown = Reflect.get(owner, name)
  const descriptor = Object.getOwnPropertyDescriptor(owner, name)
  if (typeof original !== 'function' || !descriptor?.configurable) return () => {}
  const replacement = wrap(original as AnyFunction)
  const putBack = () => Object.defineProperty(owner, name, descriptor)
  const set = (value: unknown): void => {
    Object.defineProperty(owner, name, { value, writable: true, enumerable: true, configurable: true })
  }
  let isStopped = false
  // A getter, so that it can remove itself when msw puts this property back after the replacement has ended.
  const get = () => {
    if (!isStopped) return replacement
    putBack()
    return original
  }
  if (beforeMsw) Object.defineProperty(owner, name, { get, set, enumerable: true, configurable: true })
  else set(replacement)
  return () => {
    if (Reflect.get(owner, name) === replacement) putBack()
    isStopped = true
  }
}
