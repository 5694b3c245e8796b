import { useState } from 'preact/hooks'
import { tryStorage } from '../lib/try-storage.js'

/** A state that is also in the browser's storage. Without access to storage, it is lost when the page is reloaded. */
export function useStored(name: 'localStorage' | 'sessionStorage', key: string) {
  const [value, setValue] = useState(() => tryStorage(() => globalThis[name].getItem(key)) ?? undefined)
  function store(next: string | undefined): void {
    setValue(next)
    tryStorage(() => (next === undefined ? globalThis[name].removeItem(key) : globalThis[name].setItem(key, next)))
  }
  return [value, store] as const
}
