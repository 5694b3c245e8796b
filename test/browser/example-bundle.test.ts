import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, inject, it } from 'vitest'

const example = inject('example')

/**
 * The maximum size of what a bundler puts into a page that mocks the Pet Store, without msw. 15 KB of it are scenarios as
 * plain JSON, which anyone can read, and 10 KB the parts of @mswjs/data and openapi-backend that the mock itself could do
 * without. Recording for reproductions takes 2 KB. Files that services of documents share are in it as a whole. What reads other
 * documents is not.
 */
const MAX_BYTES = 141_500

const PAGE = "import { setupPetstore } from 'petstore-mock/browser'\nawait setupPetstore().start()"

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

it('keeps what a page loads within its budget, without the data generator', async () => {
  const { metafile, outputFiles } = await build({
    stdin: { contents: PAGE, resolveDir: example },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    outdir: 'page',
    absWorkingDir: example,
    external: ['msw'],
    write: false,
    metafile: true,
    logLevel: 'error',
  })
  const { outputs } = metafile
  const sizes = new Map(
    outputFiles.map(({ path, contents }) => [relative(example, path), gzipSync(contents, { level: 9 }).length]),
  )
  const atOnce = new Set(Object.keys(outputs).filter((file) => outputs[file]?.entryPoint === '<stdin>'))
  for (const file of atOnce) {
    for (const { kind, path } of outputs[file]?.imports ?? [])
      if (kind === 'import-statement' && outputs[path]) atOnce.add(path)
  }
  const size = [...atOnce].reduce((sum, file) => sum + (sizes.get(file) ?? Number.NaN), 0)
  console.log(`A page with the Pet Store, without msw: ${size} bytes`)
  expect(size).toBeLessThanOrEqual(MAX_BYTES)
  const later = Object.keys(outputs).filter((file) => !atOnce.has(file))
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
