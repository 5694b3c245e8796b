import { expect, it } from 'vitest'
import { readTestResults } from '../support/run-vitest.js'

it('a test fails for errors that the code under test swallowed', async () => {
  const results = await readTestResults('failing')
  const messages = Object.fromEntries(results.map(({ title, failureMessages }) => [title, failureMessages.join('\n')]))
  expect(results.map(({ title, status }) => [title, status])).toEqual([
    ['an unhandled request', 'failed'],
    ['an override that violates the OpenAPI document', 'failed'],
    ['a deprecated operation', 'failed'],
    ['no error', 'passed'],
  ])
  expect(messages['an unhandled request']).toContain(
    'GET https://elsewhere.invalid/things was blocked by the mock at https://petstore.test',
  )
  expect(messages['an unhandled request']).toContain("set onUnhandledRequest to 'bypass'")
  expect(messages['an override that violates the OpenAPI document']).toContain(
    'The override of listPets returned 200 with a body that violates the OpenAPI document: /0/name must be a string, but is the number 5',
  )
  expect(messages['a deprecated operation']).toContain('getPet was used once, but is deprecated since 2026-01-01')
})

it('concurrent tests are isolated in files that share one process', async () => {
  const results = await readTestResults('shared-process')
  expect(results.filter(({ status }) => status !== 'passed')).toEqual([])
  expect(results).toHaveLength(12)
})
