import { afterEach, describe, expect, it, vi } from 'vitest'
import { createBaseWorld, createWorld } from '../../src/petstore/world.js'

const openWorld = () => createWorld(createBaseWorld({ categories: [], pets: [], orders: [] }))

describe('a world in a page', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it('opens no channel to those in other tabs, and leaves the page its own', () => {
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
    openWorld().categories.insert({ name: 'Dogs', description: null })
    expect(opened).toEqual([])
    expect(Object.getOwnPropertyDescriptor(globalThis, 'BroadcastChannel')).toEqual(before)
    expect(new BroadcastChannel('own')).toBeInstanceOf(Channel)
    expect(opened).toEqual(['own'])
  })

  it('does without channels where there are none', () => {
    const before = Object.getOwnPropertyDescriptor(globalThis, 'BroadcastChannel') as PropertyDescriptor
    vi.stubGlobal('window', globalThis)
    Reflect.deleteProperty(globalThis, 'BroadcastChannel')
    try {
      expect(openWorld().pets.size).toBe(0)
      expect('BroadcastChannel' in globalThis).toBe(false)
    } finally {
      Object.defineProperty(globalThis, 'BroadcastChannel', before)
    }
  })
})
