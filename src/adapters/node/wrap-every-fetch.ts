export type Fetch = typeof globalThis.fetch

/**
 * Changes the arguments of every call of the global fetch, before any other function that replaces it can see them, even if it
 * does so later. Returns a function that ends this.
 */
export function wrapEveryFetch(change: (args: Parameters<Fetch>) => Parameters<Fetch>): () => void {
  const descriptor = Object.getOwnPropertyDescriptor(globalThis, 'fetch')
  if (!descriptor?.configurable) return () => {}
  const originals = new WeakMap<Fetch, Fetch>()
  let isStopped = false

  function wrap(original: Fetch): Fetch {
    // A test may have removed `fetch`.
    if (typeof original !== 'function' || originals.has(original)) return original
    const wrapper = new Proxy(original, {
      apply: (target, self, args: Parameters<Fetch>) => Reflect.apply(target, self, isStopped ? args : change(args)),
    })
    originals.set(wrapper, original)
    return wrapper
  }

  const first = wrap(globalThis.fetch)
  let current = first
  const get = () => current
  Object.defineProperty(globalThis, 'fetch', {
    get,
    set(replacement: Fetch) {
      current = wrap(replacement)
    },
    enumerable: true,
    configurable: true,
  })
  return () => {
    isStopped = true
    // Something else may have redefined the property since.
    if (Object.getOwnPropertyDescriptor(globalThis, 'fetch')?.get !== get) return
    const replaced = { value: originals.get(current), writable: true, enumerable: true, configurable: true }
    Object.defineProperty(globalThis, 'fetch', current === first ? descriptor : replaced)
  }
}
