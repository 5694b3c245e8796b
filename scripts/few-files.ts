import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Plugin } from 'esbuild'

const root = fileURLToPath(new URL('../', import.meta.url))

export interface Core {
  /** The module that loads the core. */
  readonly core: string
  /** Entries that start without the core. */
  readonly without: readonly string[]
}

/**
 * The bundler makes a file for every set of parts that share some modules: fifty for the core, a fifth of the time that
 * importing it takes. Here every part that is loaded with the core or after it imports the core, so there is one file.
 */
export async function inFewFiles<Options extends BuildOptions>(
  options: Options,
  { core, without }: Core,
): Promise<Options> {
  const { metafile } = await build<BuildOptions & { metafile: true }>({ ...options, metafile: true, write: false })
  const parts = Object.values(metafile.outputs).flatMap(({ entryPoint = core }) => entryPoint)
  const withCore = new Set(parts.filter((part) => part !== core && !without.includes(part)))
  return { ...options, plugins: [importCore(core, withCore), ...(options.plugins ?? [])] }
}

function importCore(core: string, parts: ReadonlySet<string>): Plugin {
  return {
    name: 'import-core',
    setup({ onLoad }) {
      onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
        if (!parts.has(path.slice(root.length))) return undefined
        return { contents: `${await readFile(path, 'utf8')}\nimport '${root}${core}'`, loader: 'ts' }
      })
    },
  }
}
