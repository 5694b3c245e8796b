import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../', import.meta.url))
const SWAGGER = 'node_modules/swagger-ui-dist'

/** The pages and their entry scripts. `src/<page>` also has `<page>.css` and `<page>.html`. */
const PAGES = { dashboard: 'main.tsx', reference: 'main.ts' } as const

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
  const folder = `src/${page}`
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [
      { in: `${folder}/${entry}`, out: page },
      { in: `${folder}/${page}.css`, out: page },
    ],
    outdir,
    bundle: true,
    // What a page loads later is a file of its own, which `pages.ts` of the server has to serve.
    splitting: true,
    chunkNames: '[name]',
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
