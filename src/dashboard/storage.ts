import { useState } from 'preact/hooks'

/** A state that is also in the browser's storage. Without access to storage, it is lost when the page is reloaded. */
export function useStored(name: 'localStorage' | 'sessionStorage', key: string) {
  const [value, setValue] = useState(() => attempt(() => globalThis[name].getItem(key)) ?? undefined)
  function store(next: string | undefined): void {
    setValue(next)
    attempt(() => (next === undefined ? globalThis[name].removeItem(key) : globalThis[name].setItem(key, next)))
  }
  return [value, store] as const
}

/** A browser may deny access to storage. */
function attempt<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}
