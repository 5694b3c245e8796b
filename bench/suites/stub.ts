import { afterEach, beforeEach, test, vi } from 'vitest'
import { BASE, PET, readAndCreate, registerTests } from './suite.js'

registerTests('a stub of fetch', (title) => test(title, () => readAndCreate(fetch, BASE)))

beforeEach(() => {
  vi.stubGlobal('fetch', async (_: string, init?: RequestInit) =>
    init === undefined ? Response.json(PET) : Response.json({ ...PET, id: 2, name: 'Ivy' }, { status: 201 }),
  )
})
afterEach(() => void vi.unstubAllGlobals())
