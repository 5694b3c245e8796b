import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { test as petstoreTest } from '../../src/runners/vitest/index.js'

const folder = mkdtempSync(join(tmpdir(), 'petstore-mock-'))
const lines: unknown[] = []
const { error: print } = console
// Not with `vi.spyOn`, which has no calls here with vitest 5.
console.error = (...args: unknown[]) => void lines.push(...args)

const test = petstoreTest.extend('petstoreReproductions', join(folder, 'failed'))

afterAll(() => {
  const files = readdirSync(join(folder, 'failed'))
  const name = /fails-after-a-request-and-says-how-to-repeat-it-[0-9a-f]{8}\.petstore\.json$/
  const text = readFileSync(join(folder, 'failed', files[0] ?? ''), 'utf8')
  console.error = print
  rmSync(folder, { recursive: true })
  expect(files).toEqual([expect.stringMatching(name)])
  expect(JSON.parse(text).steps).toMatchObject([{ operation: 'getPet', response: { status: 200 } }])
  expect(lines).toEqual([expect.stringMatching(/npx petstore-mock replay .*\.petstore\.json$/)])
})

// Expected to fail: only a test that failed leaves a file, which is checked after all tests.
test.fails('fails after a request, and says how to repeat it', async () => {
  expect((await fetch('http://127.0.0.1:4010/pets/1')).status).toBe(404)
})

test('passes, and leaves no file', async () => {
  expect((await fetch('http://127.0.0.1:4010/pets/1')).status).toBe(200)
})
