import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, inject, it } from 'vitest'

const example = inject('example')

/**
 * The maximum size of the adapter without msw. 7 KB of it are scenarios as plain JSON, which anyone can read, and 10 KB the
 * parts of @mswjs/data and openapi-backend that the mock itself could do without. Recording for reproductions takes 2 KB, and
 * the resources of the Pet Store 1 KB: reading them from the document would make every first mock 19 ms slower.
 */
const MAX_BYTES = 134_500

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

/** A graph of files: static and dynamic imports of each. */
type Graph = Readonly<Record<string, { readonly now: readonly string[]; readonly later: readonly string[] }>>

/** The files and everything they import in the given ways. */
function reach(graph: Graph, from: readonly string[], ways: readonly ('now' | 'later')[]): Set<string> {
  const reached = new Set(from)
  for (const file of reached) for (const way of ways) for (const next of graph[file]?.[way] ?? []) reached.add(next)
  return reached
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

it('keeps the adapter within its budget, without the data generator', async () => {
  const graph = await readAdapter()
  const folder = join(example, 'node_modules/petstore-mock/dist/browser')
  const adapter = reach(graph, ['browser.js'], ['now'])
  const contents = await Promise.all([...adapter].map((file) => readFile(join(folder, file))))
  const sizes = contents.map((content) => gzipSync(content, { level: 9 }).length)
  const size = sizes.reduce((sum, each) => sum + each)
  console.log(`The adapter without msw: ${size} bytes`)
  expect(size).toBeLessThanOrEqual(MAX_BYTES)
  const later = [...reach(graph, ['browser.js'], ['now', 'later'])].filter((file) => !adapter.has(file))
  expect(later.join()).toContain('generate')
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
