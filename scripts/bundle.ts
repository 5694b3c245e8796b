import { fileURLToPath } from 'node:url'
import type { BuildOptions, Plugin } from 'esbuild'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Modules that nothing we call can reach, by the name they are imported under. */
const UNREACHABLE = [
  // openapi-backend: only `parseRequest` calls them, and the mock parses requests itself.
  'bath-es5',
  'cookie',
  'qs',
  // openapi-backend: only `getAjv` calls it, which is overridden.
  'ajv',
  // openapi-backend: only `validateResponse` and `validateResponseHeaders` call them; the mock calls the validators.
  './utils',
  './backend',
  // @modelcontextprotocol/sdk: its validator is passed, and no schema is of zod 3.
  '../validation/ajv-provider.js',
  'zod/v3',
  // @mswjs/data: only `toHandlers` and `toGraphQLSchema` of a model use these, and they need msw and graphql.
  './model/generateRestHandlers',
  './model/generateGraphQLHandlers',
  // @mswjs/data: only relations use it.
  'lodash/has',
]

/** Packages of which few functions are used, or little of what they can do. The rest of them is left out. */
const FEW_FUNCTIONS: Readonly<Record<string, string>> = {
  lodash: [
    // @mswjs/data
    "exports.isFunction = (value) => typeof value === 'function'",
    // openapi-backend, where it builds validators. Those of lodash are 30 times as long, because they can do more. It uses
    // other functions in methods that are overridden or not called.
    'exports.uniq = (items) => [...new Set(items)]',
    'exports.mapKeys = (object, visit) => { for (const key in object) visit(object[key], key) }',
  ].join('\n'),
  // @mswjs/data, whose paths to fields are lists of names. Those of our models have one name.
  'lodash/isFunction': "module.exports = (value) => typeof value === 'function'",
  'lodash/get': 'module.exports = (object, path) => object[path[0]]',
  'lodash/set': 'module.exports = (object, path, value) => { object[path[0]] = value }',
  // @mswjs/data
  'date-fns': 'exports.compareAsc = (left, right) => Math.sign(left - right)',
  // @mswjs/data, which traces its inner steps, and writes its queries for that
  debug: 'exports.debug = () => () => {}',
  '../utils/safeStringify': "exports.safeStringify = () => ''",
  // @mswjs/data, which sends the changes of records to other tabs. It would copy those of other tabs past our indexes.
  './extensions/sync': 'exports.sync = () => {}',
  // @mswjs/data, where it names the sender of these
  md5: 'module.exports = (text) => text',
}

const leaveOut: Plugin = {
  name: 'leave-out',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /.*/ }, ({ path }) => {
      if (UNREACHABLE.includes(path)) return { path, namespace: 'unreachable' }
      if (path in FEW_FUNCTIONS) return { path, namespace: 'few-functions' }
      return undefined
    })
    onLoad({ filter: /.*/, namespace: 'unreachable' }, () => ({ contents: 'module.exports = {}' }))
    onLoad({ filter: /.*/, namespace: 'few-functions' }, ({ path }) => ({
      contents: FEW_FUNCTIONS[path] ?? '',
      resolveDir: root,
    }))
  },
}

/**
 * The marks of @mswjs/data on its records, registered by name. The command, the ES modules and the CommonJS build each have a
 * copy of the library, and a service file that one of them has loaded hands its starting records to another.
 */
const MARKS = ['PRIMARY_KEY', 'ENTITY_TYPE', 'DATABASE_INSTANCE']
  .map((name) => `exports.${name} = Symbol.for('@mswjs/data ${name}')`)
  .join('\n')

const shareMarks: Plugin = {
  name: 'share-marks',
  setup({ onLoad }) {
    onLoad({ filter: /@mswjs\/data\/lib\/glossary\.js$/ }, () => ({ contents: MARKS }))
  },
}

/** What the mock uses of msw in Node. */
const USED_OF_MSW: Readonly<Record<string, string>> = {
  msw: 'http',
  'msw/node': 'setupServer, defaultNetworkOptions',
}

/** Imports msw with `importMsw`, which explains what to do if it is not installed. */
export const explainMissingMsw: Plugin = {
  name: 'explain-missing-msw',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^msw(?:\/node)?$/ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, external: true } : { path, namespace: 'installed' },
    )
    onLoad({ filter: /.*/, namespace: 'installed' }, ({ path }) => ({
      contents: [
        "import { importMsw } from './src/adapters/node/import-msw.ts'",
        `export const { ${USED_OF_MSW[path]} } = await importMsw(() => import('${path}'))`,
      ].join('\n'),
      resolveDir: root,
    }))
  },
}

/** The same for every adapter. */
export const common = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: 'esm',
  chunkNames: 'chunks/[name]-[hash]',
  legalComments: 'none',
  plugins: [leaveOut],
  // The user's own versions: handlers are added to the user's msw server or worker, and fixtures to the user's vitest.
  external: ['msw', 'vite', 'vitest', '@playwright/test', '@jest/globals'],
  logLevel: 'warning',
  metafile: true,
} as const satisfies BuildOptions

/** Options for code that runs in Node. */
export const inNode = {
  ...common,
  plugins: [...common.plugins, shareMarks],
  outdir: 'dist',
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  // Their Node builds call `require`, which ES modules do not have; their browser builds do the same.
  alias: { yaml: `${root}node_modules/yaml/browser/index.js` },
  // msw keeps cookies there. Newer versions of Node warn about any use of it.
  define: { localStorage: 'undefined' },
} as const satisfies BuildOptions
