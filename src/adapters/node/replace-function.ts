type AnyFunction = (this: unknown, ...args: unknown[]) => unknown

interface ReplaceOptions {
  /** Whether msw starts afterwards. It replaces the function again, and when it stops, it puts back the property it found. */
  readonly beforeMsw?: boolean
}

/**
 * Replaces a function of an object by one that calls it. Returns a function that puts the original back, unless something
 * else has replaced it since. Does nothing if the object has no such function, or does not allow it.
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
  // msw may put back this property after the replacement is no longer wanted.
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
