import { expect } from 'vitest'
import type { Outcome } from './command.js'

/** Expects that a command failed, with one line on standard error and nothing else. */
export function expectFailure({ code, stdout, stderr }: Outcome, message: string | RegExp): void {
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^petstore-mock: [^\n]+\n$/)
  expect(stderr).toMatch(message)
}
