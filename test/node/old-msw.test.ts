import { afterEach, expect, it, vi } from 'vitest'
import { createHandler } from '../../src/adapters/msw/handlers.js'

// msw 2.8 treats every predicate as a path.
const all = vi.hoisted(() => vi.fn((path: string) => path.endsWith('?')))
vi.mock('msw', () => ({ http: { all } }))
afterEach(() => void all.mockReset())

it('says which msw it needs, if the installed one is too old', () => {
  expect(() => createHandler({ findEndpoint: () => undefined })).toThrow(
    'The installed msw is too old: petstore-mock needs msw 2.15 or newer. Run: npm install msw@latest',
  )
})

it('passes on any other error of msw', () => {
  all.mockImplementation(() => {
    throw new Error('of msw')
  })
  expect(() => createHandler({ findEndpoint: () => undefined })).toThrow('of msw')
})
