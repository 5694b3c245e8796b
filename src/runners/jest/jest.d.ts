/* The few types of Jest that this folder uses. Jest itself is installed for the tests of the package only. */

declare module '@jest/globals' {
  type Hook = (act: () => unknown) => void
  export const beforeAll: Hook
  export const beforeEach: Hook
  export const afterEach: Hook
  export const afterAll: Hook
  export const expect: { extend(matchers: object): void }
}

declare module 'expect' {
  export interface Matchers<R extends void | Promise<void>, T = unknown> {
    toBe(expected: unknown): R
  }
}
