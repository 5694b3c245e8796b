import { expect, it, vi } from 'vitest'
import { createHandler } from '../../src/adapters/msw/handlers.js'

// msw 2.8 treats every predicate as a path.
vi.mock('msw', () => ({ http: { all: (path: string) => path.endsWith('?') } }))

it('says which msw it needs, if the installed one is too old', () => {
  expect(() => createHandler({ findEndpoint: () => undefined })).toThrow(
    'The installed msw is too old: petstore-mock needs msw 2.15 or newer. Run: npm install msw@latest',
  )
})
