import { fileURLToPath } from 'node:url'
import { type BuildOptions, type BuildResult, build, type Plugin } from 'esbuild'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Parts of dependencies that are never called, by the name they are imported under. */
const UNUSED = [
  // openapi-backend: only its router is used, and that with requests that are parsed already.
  'bath-es5',
  'cookie',
  'qs',
  // @mswjs/data: handlers and GraphQL schemas it can make of a model; its queries, which walk every row.
  './model/generateRestHandlers',
  './model/generateGraphQLHandlers',
  './model/updateEntity',
  './query/executeQuery',
  '../query/executeQuery',
]

/** Parts of @mswjs/data that are called, but of which little is needed. */
const STAND_INS: Readonly<Record<string, string>> = {
  // Would read the environment and the terminal.
  debug: 'exports.debug = () => () => {}',
  // All of it, for one function.
  lodash: "exports.isFunction = (value) => typeof value === 'function'",
  // Tells the tabs of a browser apart, to keep their databases the same: ours are not to be.
  md5: 'module.exports = String',
  './extensions/sync': 'exports.sync = () => {}',
}

const leaveOut: Plugin = {
  name: 'leave-out',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /.*/ }, ({ path }) => {
      if (UNUSED.includes(path)) return { path, namespace: 'unused' }
      if (path in STAND_INS) return { path, namespace: 'stand-in' }
      return undefined
    })
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {}' }))
    onLoad({ filter: /.*/, namespace: 'stand-in' }, ({ path }) => ({ contents: STAND_INS[path] ?? '' }))
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
  // The user's own: it is their server or worker that handlers go into, and their runner that the fixture extends.
  external: ['msw', 'vitest'],
  logLevel: 'warning',
  metafile: true,
} as const satisfies BuildOptions

/** What runs in Node. */
export const inNode = {
  ...common,
  outdir: 'dist',
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  // Its build for Node calls `require`, which a module does not have; the one for browsers is the same code.
  alias: { yaml: `${root}node_modules/yaml/browser/index.js` },
} as const satisfies BuildOptions

/** Builds dist/cli.js, separately from the adapters, because starting takes longer with the many files they share. */
export function buildCommand(): Promise<BuildResult<{ metafile: true }>> {
  return build({ ...inNode, entryPoints: { cli: 'src/cli/main.ts' }, minify: true })
}
