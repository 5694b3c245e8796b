import { afterEach, describe, expect, it, vi } from 'vitest'
import { openStore } from '../support/store.js'

describe('a store in a page', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it('opens no BroadcastChannel and does not change the global', () => {
    const opened: string[] = []
    class Channel extends EventTarget {
      constructor(name: string) {
        super()
        opened.push(name)
      }
    }
    vi.stubGlobal('window', globalThis)
    vi.stubGlobal('BroadcastChannel', Channel)
    const before = Object.getOwnPropertyDescriptor(globalThis, 'BroadcastChannel')
    openStore().collections.categories.insert({ name: 'Dogs', description: null })
    expect(opened).toEqual([])
    expect(Object.getOwnPropertyDescriptor(globalThis, 'BroadcastChannel')).toEqual(before)
    expect(new BroadcastChannel('own')).toBeInstanceOf(Channel)
    expect(opened).toEqual(['own'])
  })

  it('works without BroadcastChannel', () => {
    const before = Object.getOwnPropertyDescriptor(globalThis, 'BroadcastChannel') as PropertyDescriptor
    vi.stubGlobal('window', globalThis)
    Reflect.deleteProperty(globalThis, 'BroadcastChannel')
    try {
      expect(openStore().collections.pets.size).toBe(0)
      expect('BroadcastChannel' in globalThis).toBe(false)
    } finally {
      Object.defineProperty(globalThis, 'BroadcastChannel', before)
    }
  })
})
