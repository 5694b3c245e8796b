const { resolve } = require('node:path')

/** The folder in which Jest is installed, and 'commonjs' or 'esm'. */
const { JEST_FOLDER, JEST_MODULES } = process.env
const find = (name) => require.resolve(name, { paths: [resolve(JEST_FOLDER), __dirname] })
const runner = `Jest ${require(find('jest/package.json')).version.split('.')[0]}`

const ENVIRONMENTS = {
  node: 'jest-environment-node',
  jsdom: 'jest-environment-jsdom',
  'jest-fixed-jsdom': 'jest-fixed-jsdom',
  'happy-dom': '@happy-dom/jest-environment',
}

const plugins = ['dynamic-import', 'modules-commonjs'].map((name) => find(`@babel/plugin-transform-${name}`))
const BABEL = { testMatch: ['**/in-jest.js'], transform: { '\\.js$': [find('babel-jest'), { plugins }] } }
/** The types are the same in every environment, so they are checked only in one. */
const compileWithTsJest = (environment) => {
  const tsconfig = environment === 'node' ? 'tsconfig.json' : 'tsconfig.unchecked.json'
  return { testMatch: ['**/in-jest.ts'], transform: { '\\.[jt]s$': [find('ts-jest'), { tsconfig }] } }
}
const MODES = {
  commonjs: { 'babel-jest': () => BABEL, 'ts-jest': compileWithTsJest },
  esm: { 'ES modules': () => ({ testMatch: ['**/in-jest.js'], transform: {} }) },
}

function toProject(config, mode, environment, fakeTimers = { doNotFake: ['queueMicrotask'] }) {
  const SET_UP = { runner, mode, environment }
  return {
    ...config,
    rootDir: __dirname,
    testEnvironment: find(ENVIRONMENTS[environment]),
    globals: { SET_UP, FAKE_TIMERS: fakeTimers },
  }
}

const projects = Object.entries(MODES[JEST_MODULES]).flatMap(([mode, configure]) =>
  Object.keys(ENVIRONMENTS).map((environment) => toProject(configure(environment), mode, environment)),
)
if (runner === 'Jest 30' && JEST_MODULES === 'commonjs') {
  // In the environment that has all clients.
  projects.push(toProject(BABEL, 'babel-jest, default fake timers', 'happy-dom', {}))
}

const chosen = process.env.SET_UPS.split('\n')

module.exports = {
  projects: projects.filter(({ globals }) => chosen.includes(Object.values(globals.SET_UP).join(', '))),
  reporters: ['default', `${__dirname}/jest-reporter.cjs`],
}
