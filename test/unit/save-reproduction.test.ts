import { readdirSync } from 'node:fs'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createPetstore } from '../../src/index.js'
import { saveReproduction } from '../../src/runners/vitest/create-test.js'
import { makeFolder } from '../support/certificates.js'

function save(...tests: string[]): string[] {
  const folder = makeFolder()
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => printed.mockRestore())
  const petstore = createPetstore()
  for (const test of tests) saveReproduction(folder, test, petstore as never)
  return readdirSync(folder)
}

it('writes a file for each test, whatever their names have in common', () => {
  const path = `packages/${'shop/'.repeat(30)}checkout.test.ts`
  const names = [
    `${path} > a`,
    `${path} > b`,
    'limit=-1',
    'limit=1',
    `a > ${'x'.repeat(200)}`,
    `b > ${'x'.repeat(200)}`,
  ]
  expect(save(...names)).toHaveLength(names.length)
})

it('replaces the file of an earlier run', () => {
  expect(save('fails', 'fails')).toHaveLength(1)
})

it('names the file after the end of a long name, in letters of any script', () => {
  expect(save(`src/${'路'.repeat(100)}/a.test.ts > ${'犬'.repeat(28)}`)[0]).toMatch(
    /^路-a-test-ts-犬{28}-[0-9a-f]{8}\.petstore\.json$/,
  )
  expect(save('猫'.repeat(200))[0]).toMatch(/^猫{33}-[0-9a-f]{8}\.petstore\.json$/)
})
