import { fileURLToPath } from 'node:url'
import { type BuildOptions, type BuildResult, build, type Plugin } from 'esbuild'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Parts of dependencies that are never called, by the name they are imported under. */
const UNUSED = [
  // openapi-backend: only its router is used, with requests that are already parsed.
  'bath-es5',
  'cookie',
  'qs',
  // @mswjs/data: handlers and GraphQL schemas that it can generate from a model; its queries, which scan every row.
  './model/generateRestHandlers',
  './model/generateGraphQLHandlers',
  './model/updateEntity',
  './query/executeQuery',
  '../query/executeQuery',
]

/** Replacements for parts of @mswjs/data of which little is needed. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  // The original reads the environment and the terminal.
  debug: 'exports.debug = () => () => {}',
  // Only one function is used.
  lodash: "exports.isFunction = (value) => typeof value === 'function'",
  // Used to synchronize the databases of browser tabs, which must not happen here.
  md5: 'module.exports = String',
  './extensions/sync': 'exports.sync = () => {}',
}

const leaveOut: Plugin = {
  name: 'leave-out',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /.*/ }, ({ path }) => {
      if (UNUSED.includes(path)) return { path, namespace: 'unused' }
      if (path in REPLACEMENTS) return { path, namespace: 'replacement' }
      return undefined
    })
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {}' }))
    onLoad({ filter: /.*/, namespace: 'replacement' }, ({ path }) => ({ contents: REPLACEMENTS[path] ?? '' }))
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
  external: ['msw', 'vitest'],
  logLevel: 'warning',
  metafile: true,
} as const satisfies BuildOptions

/** Options for code that runs in Node. */
export const inNode = {
  ...common,
  outdir: 'dist',
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  // The Node build of yaml calls `require`, which ES modules do not have; its browser build is the same code.
  alias: { yaml: `${root}node_modules/yaml/browser/index.js` },
} as const satisfies BuildOptions

/** Builds dist/cli.js, separately from the adapters, because starting takes longer with the many files they share. */
export function buildCommand(): Promise<BuildResult<{ metafile: true }>> {
  return build({ ...inNode, entryPoints: { cli: 'src/cli/main.ts' }, minify: true })
}
