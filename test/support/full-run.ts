/** Whether random tests do many runs, with `PETSTORE_TEST_FULL=1`, or few. Tests in a page have no environment. */
export const isFullRun = globalThis.process?.env?.PETSTORE_TEST_FULL === '1'
