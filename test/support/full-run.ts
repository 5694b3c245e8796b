/** Whether random tests do many runs (`npm run test:long`), or few. Tests in a page have no environment. */
export const isLongRun = globalThis.process?.env?.PETSTORE_TEST_LONG === '1'
