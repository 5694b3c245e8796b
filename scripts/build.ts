/**
 * Bundles the package. Dependencies are bundled in, so that installing it installs nothing else, and the parts of
 * them that no adapter uses are left out, because loading those is most of what starting would cost.
 */
import { execFileSync } from 'node:child_process'
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { buildPages } from './pages.js'

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
const common = {
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
const inNode = {
  ...common,
  outdir: 'dist',
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  // Its build for Node calls `require`, which a module does not have; the one for browsers is the same code.
  alias: { yaml: `${root}node_modules/yaml/browser/index.js` },
} as const satisfies BuildOptions

await rm(`${root}dist`, { recursive: true, force: true })
const onNode = await build({
  ...inNode,
  entryPoints: {
    index: 'src/index.ts',
    node: 'src/adapters/node/index.ts',
    vitest: 'src/vitest/index.ts',
    'vitest/reporter': 'src/vitest/reporter.ts',
    server: 'src/adapters/server/index.ts',
  },
})
// Apart from the adapters, with which it would share a dozen files: finding and reading them is what starting takes.
const command = await build({ ...inNode, entryPoints: { cli: 'src/cli/main.ts' }, minify: true })
const inBrowser = await build({
  ...common,
  entryPoints: { browser: 'src/adapters/browser/index.ts' },
  outdir: 'dist/browser',
  platform: 'browser',
  target: 'es2022',
  // A page loads it, be it in development only.
  minify: true,
})
const inPages = await buildPages(`${root}dist/pages`)
const inputs = [...[onNode, command, inBrowser].flatMap(({ metafile }) => Object.keys(metafile.inputs)), ...inPages]
await writeFile(`${root}dist/THIRD-PARTY-LICENSES.txt`, await collectLicences(inputs))
await chmod(`${root}dist/cli.js`, 0o755)
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
})
// Checked with the rest, but no part of what can be imported.
for (const page of ['dashboard', 'reference']) await rm(`${root}dist/types/${page}`, { recursive: true })

/** The licences of what is bundled in, which ask to go where the code goes. */
async function collectLicences(inputs: readonly string[]): Promise<string> {
  const folders = new Set(inputs.flatMap((input) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []))
  const texts = [...folders].sort().map(async (folder) => {
    const { name, version, license } = JSON.parse(await readFile(`${root}${folder}/package.json`, 'utf8'))
    // A file that is bundled itself has the licences of what is in it beside it.
    const isLicence = (entry: string) =>
      /^(?:licen[cs]e|notice)/i.test(entry) || inputs.some((input) => `${input}.LICENSE.txt` === `${folder}/${entry}`)
    const files = (await readdir(`${root}${folder}`)).filter(isLicence)
    const texts = await Promise.all(files.map((file) => readFile(`${root}${folder}/${file}`, 'utf8')))
    return `${name} ${version} (${license})\n\n${texts.map((text) => text.trim()).join('\n\n')}\n`
  })
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`)
}
