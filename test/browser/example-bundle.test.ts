import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, inject, it } from 'vitest'
import { ARTEFACTS } from '../support/example.js'

const example = inject('example')

/**
 * The maximum size of the adapter without msw. 7 KB of it are scenarios as plain JSON, which anyone can read, and 10 KB the
 * parts of @mswjs/data and openapi-backend that the mock itself could do without. Recording for reproductions takes 2 KB.
 */
const MAX_BYTES = 110_000

/** Texts from the adapter, from msw, from the data and from the example's own code for the mock. */
const TELLTALES = [
  'mockServiceWorker',
  'petstore-mock',
  'INTEGRITY',
  'onUnhandledRequest',
  'Auntie Velvet',
  'Goldie the Sleepy',
  'Mock controls',
]

const gzipped = async (path: string) => gzipSync(await readFile(path), { level: 9 }).length

/** A graph of files: static and dynamic imports of each. */
type Graph = Readonly<Record<string, { readonly now: readonly string[]; readonly later: readonly string[] }>>

/** The files and everything they import in the given ways. */
function reach(graph: Graph, from: readonly string[], ways: readonly ('now' | 'later')[]): Set<string> {
  const reached = new Set(from)
  for (const file of reached) for (const way of ways) for (const next of graph[file]?.[way] ?? []) reached.add(next)
  return reached
}

/** The graph of the default build, from Vite's manifest. */
async function readChunks(): Promise<{ graph: Graph; fileOf(key: string): string }> {
  const manifest = JSON.parse(await readFile(join(example, 'dist/.vite/manifest.json'), 'utf8')) as Record<
    string,
    { file: string; imports?: string[]; dynamicImports?: string[] }
  >
  const edges = Object.entries(manifest).map(([key, { imports = [], dynamicImports = [] }]) => [
    key,
    { now: imports, later: dynamicImports },
  ])
  return { graph: Object.fromEntries(edges), fileOf: (key) => manifest[key]?.file ?? key }
}

/** The graph of the adapter in the installed package, without msw. */
async function readAdapter(): Promise<Graph> {
  const { metafile } = await build({
    absWorkingDir: join(example, 'node_modules/petstore-mock/dist/browser'),
    entryPoints: ['browser.js'],
    bundle: true,
    splitting: true,
    format: 'esm',
    outdir: 'unused',
    external: ['msw'],
    write: false,
    metafile: true,
    logLevel: 'error',
  })
  const edges = Object.entries(metafile.inputs).map(([file, { imports }]) => {
    const of = (kind: string) => imports.filter((one) => one.kind === kind && !one.external).map(({ path }) => path)
    return [file, { now: of('import-statement'), later: of('dynamic-import') }]
  })
  return Object.fromEntries(edges)
}

async function report(title: string, rows: readonly (readonly [name: string, when: string, path: string])[]) {
  const weighed = await Promise.all(rows.map(async ([name, when, path]) => [name, when, await gzipped(path)] as const))
  const lines = weighed.map(([name, when, size]) => `${name.padEnd(44)} ${when.padEnd(10)} ${kilobytes(size)}`)
  const text = [title, ...lines].join('\n')
  console.log(text)
  await writeFile(join(ARTEFACTS, 'bundle-report.txt'), `${text}\n\n`, { flag: 'a' })
  return weighed.reduce((sum, [, when, size]) => (when === 'at once' ? sum + size : sum), 0)
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1).padStart(7)} KB`

it('reports the size that the mock adds to the build of the example, in separate chunks', async () => {
  const { graph, fileOf } = await readChunks()
  const app = reach(graph, ['index.html'], ['now'])
  const mock = 'src/mock/start.tsx'
  const all = [...reach(graph, [mock], ['now', 'later'])].filter((key) => !app.has(key))
  const atOnce = reach(graph, [mock], ['now'])
  expect(app).not.toContain(mock)
  const added = await report('The mock in the default build (msw included), gzipped', [
    ...all.map(
      (key) => [fileOf(key), atOnce.has(key) ? 'at once' : 'on demand', join(example, 'dist', fileOf(key))] as const,
    ),
    ['mockServiceWorker.js', 'at once', join(example, 'dist/mockServiceWorker.js')],
  ])
  expect(added).toBeGreaterThan(0)
})

it('keeps the adapter within its budget, without the data generator', async () => {
  const graph = await readAdapter()
  const folder = join(example, 'node_modules/petstore-mock/dist/browser')
  const adapter = reach(graph, ['browser.js'], ['now'])
  const all = [...reach(graph, ['browser.js'], ['now', 'later'])]
  const weight = await report(
    `The adapter itself (msw excluded), gzipped; at once at most ${kilobytes(MAX_BYTES).trim()}`,
    all.map((file) => [file, adapter.has(file) ? 'at once' : 'on demand', join(folder, file)] as const),
  )
  expect(weight).toBeLessThanOrEqual(MAX_BYTES)
  expect(all.filter((file) => !adapter.has(file)).join()).toContain('generate')
})

it('includes nothing of the mock in a build without it', async () => {
  const textOf = async (folder: string) => {
    const entries = await readdir(join(example, folder), { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
    const contents = await Promise.all(files.map((file) => readFile(file, 'utf8')))
    return [...files.map((file) => file.slice(example.length)), ...contents].join('\n')
  }
  const [on, off] = [await textOf('dist'), await textOf('dist-off')]
  expect(TELLTALES.filter((text) => !on.includes(text))).toEqual([])
  expect(TELLTALES.filter((text) => off.includes(text))).toEqual([])
})
