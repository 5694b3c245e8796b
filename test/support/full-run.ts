/** Whether this is the full run (`npm run test:full`), in which random tests do more runs. A page has no environment. */
export const isFullRun = globalThis.process?.env?.TEST_FULL === '1'

/** The test files that a run without it leaves out, in every suite. */
export const LEFT_OUT = isFullRun ? [] : ['**/*.full.test.ts']
