import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Plugin } from 'esbuild'

const root = fileURLToPath(new URL('../', import.meta.url))

/** What most entries share. */
export interface Core {
  /** The module that loads all of it. */
  readonly module: string
  /** Entries that start without the core. */
  readonly without: readonly string[]
}

/**
 * The bundler makes a file for every set of parts that share some modules: fifty for the core. Finding and opening
 * them is a fifth of the time of an import, and a page that loads them takes a tenth more to download, because each is
 * compressed alone. Here every part that is loaded with the core or after it imports the core, so there is one file.
 */
export async function inFewFiles<Options extends BuildOptions>(
  options: Options,
  { module, without }: Core,
): Promise<Options> {
  const { metafile } = await build<BuildOptions & { metafile: true }>({ ...options, metafile: true, write: false })
  const parts = Object.values(metafile.outputs).flatMap(({ entryPoint = module }) => entryPoint)
  const withCore = new Set(parts.filter((part) => part !== module && !without.includes(part)))
  return { ...options, plugins: [importCore(module, withCore), ...(options.plugins ?? [])] }
}

function importCore(module: string, parts: ReadonlySet<string>): Plugin {
  return {
    name: 'import-core',
    setup({ onLoad }) {
      onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
        if (!parts.has(path.slice(root.length))) return undefined
        return { contents: `${await readFile(path, 'utf8')}\nimport '${root}${module}'`, loader: 'ts' }
      })
    },
  }
}
