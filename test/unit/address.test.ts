import { array, assert, asyncProperty, boolean, constantFrom, tuple } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAdminPath, readAddress } from '../../src/http/address.js'
import { createPetstore } from '../../src/index.js'

const read = (path: string, header?: string) => readAddress({ path, headers: { 'x-petstore-sandbox': header } })

describe('an address', () => {
  it.each([
    ['/pets', undefined, '', '/pets'],
    ['/', undefined, '', '/'],
    ['*', undefined, '', '*'],
    ['/%zz', undefined, '', '/%zz'],
    ['/sandbox/a', 'a', '/sandbox/a', '/'],
    ['/sandbox/a/', 'a', '/sandbox/a', '/'],
    ['/sandbox/a/pets/1', 'a', '/sandbox/a', '/pets/1'],
    ['/%73andbox/%61/pets', 'a', '/sandbox/a', '/pets'],
    ['/sandbox/a/sandbox/b/pets', 'a', '/sandbox/a', '/sandbox/b/pets'],
    ['/pets/sandbox/a', undefined, '', '/pets/sandbox/a'],
  ])('of %s names the sandbox %s', (path, sandbox, prefix, inside) => {
    expect(read(path)).toEqual({ sandbox, prefix, path: inside, isAdmin: false })
  })

  it('has no prefix if only the header names the sandbox', () => {
    expect(read('/pets', 'a')).toEqual({ sandbox: 'a', prefix: '', path: '/pets', isAdmin: false })
    expect(read('/sandbox/a/pets', 'a')).toEqual({ sandbox: 'a', prefix: '/sandbox/a', path: '/pets', isAdmin: false })
  })

  it.each(['/sandbox/', '/sandbox//pets', '/sandbox/a b/pets', '/sandbox/%zz/pets', '/sandbox/a%2Fb', '/sandbox/%00'])(
    'of %s is rejected',
    (path) => {
      expect(() => read(path)).toThrow('the sandbox name in the path must be 1 to 64 letters')
    },
  )
})

describe('an admin path', () => {
  it.each([
    '/',
    '*',
    '/pets',
    '/__admins',
    '/pets/__admin',
    '//__admin',
    '/sandbox/__admin',
    '/__admin%2Fx',
    '/%5f%zz',
  ])('is not %s', (path) => {
    expect(isAdminPath(path)).toBe(false)
  })

  it('is every path of the admin API, however it is encoded', async () => {
    const petstore = createPetstore({ scenario: 'empty' })
    // The admin API is loaded on first use.
    await petstore.fetch('/__admin/health')
    const segment = constantFrom('__admin', 'sandbox', 'health', 'clock', 'journal', 'a', 'pets', '', '.', '..', 'b%')
    const spelled = tuple(segment, array(boolean(), { minLength: 8, maxLength: 8 })).map(([text, encoded]) =>
      [...text].map((character, index) => (encoded[index] ? toEscape(character) : character)).join(''),
    )
    const beginning = constantFrom([], ['__admin'], ['sandbox', 'a'], ['sandbox', 'a', '__admin'])
    let found = 0
    await assert(
      asyncProperty(
        beginning,
        array(spelled, { minLength: 0, maxLength: 4 }),
        array(boolean()),
        async (first, rest, encoded) => {
          const start = first.map((text, index) => (encoded[index] ? toEscape(text.slice(0, 1)) + text.slice(1) : text))
          const path = `/${[...start, ...rest].join('/')}`
          const { trace } = await petstore.handle({ method: 'GET', path, query: '', base: '', headers: {} })
          if (!CONTROL.includes(trace.operation ?? '')) return
          found += 1
          expect(isAdminPath(path)).toBe(true)
        },
      ),
      { numRuns: 3000, seed: 6 },
    )
    expect(found).toBeGreaterThan(100)
  })
})

const CONTROL = ['getHealth', 'getClock', 'getJournal', 'getJournalEntry']

function toEscape(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`
}
