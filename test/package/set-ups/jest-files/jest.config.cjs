const { resolve } = require('node:path')

/** The files of this folder, one after the other in one process. */
module.exports = {
  rootDir: __dirname,
  testMatch: ['**/*.case.cjs'],
  testEnvironment: require.resolve('jest-environment-node', { paths: [resolve(process.env.JEST_FOLDER)] }),
  testSequencer: './by-name.cjs',
  transform: {},
}
