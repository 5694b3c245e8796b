import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'

const root = fileURLToPath(new URL('../', import.meta.url))
const SWAGGER = 'node_modules/swagger-ui-dist'

/** The pages and their entry scripts. Beside each are `<page>.css` and `<page>.html`. */
const PAGES = { dashboard: 'src/dashboard/main.tsx', reference: 'src/dashboard/reference/main.ts' } as const

/** What a page loads later, which `pages.ts` of the server has to serve. */
const LOADED_LATER = 'src/lib/yaml.ts'

/** Each is a file with all that it needs: what two of them shared would be a file of its own, which is not served. */
const loadLater: Plugin = {
  name: 'load-later',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\./ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `./${basename(path)}`, external: true } : undefined,
    ),
}

/** Builds the web pages into a folder. Resolves with the source files. */
export async function buildPages(outdir: string): Promise<string[]> {
  await mkdir(outdir, { recursive: true })
  const inputs = await Promise.all(Object.entries(PAGES).map(([page, entry]) => buildPage(page, entry, outdir)))
  // Bundled already, and loaded separately by the reference.
  await copyWithoutMap(`${SWAGGER}/swagger-ui-bundle.js`, join(outdir, 'swagger-ui.js'))
  await copyWithoutMap(`${SWAGGER}/swagger-ui.css`, join(outdir, 'swagger-ui.css'))
  return [...inputs.flat(), `${SWAGGER}/swagger-ui-bundle.js`]
}

async function buildPage(page: string, entry: string, outdir: string): Promise<string[]> {
  const folder = dirname(entry)
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [
      { in: entry, out: page },
      { in: `${folder}/${page}.css`, out: page },
      ...(page === 'dashboard' ? [{ in: LOADED_LATER, out: basename(LOADED_LATER, '.ts') }] : []),
    ],
    outdir,
    bundle: true,
    plugins: [loadLater],
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  })
  await copyFile(`${root}${folder}/${page}.html`, join(outdir, `${page}.html`))
  return Object.keys(metafile.inputs)
}

/** Removes the reference to the source map, which is not served: developer tools would report it as missing. */
async function copyWithoutMap(from: string, to: string): Promise<void> {
  const text = await readFile(`${root}${from}`, 'utf8')
  await writeFile(to, text.replace(/\n(?:\/\/|\/\*)# sourceMappingURL=.*\s*$/, '\n'))
}
