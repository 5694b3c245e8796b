import { readFile } from 'node:fs/promises'
import { type BuildOptions, type BuildResult, build, type Plugin } from 'esbuild'
import { inNode } from './bundle.js'
import { buildShared, requireShared } from './shared.js'

const MAIN = 'src/cli/main.ts'
/** Loads all that starting the server needs. */
const START = 'src/cli/run.ts'

const command = {
  ...inNode,
  entryPoints: { cli: MAIN },
  plugins: [...inNode.plugins, requireShared],
  minify: true,
} satisfies BuildOptions

/**
 * Builds dist/cli.js and what it loads, separately from the adapters, because starting takes longer with the many files
 * they share.
 */
export function buildCommand(): Promise<BuildResult<{ metafile: true }>[]> {
  return Promise.all([buildInFewFiles(), buildShared()])
}

/**
 * The bundler makes a file for every set of parts that share some modules: fifty for the start of the server, which needs as
 * many open files at once. Here all parts import those modules, so there is one file.
 */
async function buildInFewFiles(): Promise<BuildResult<{ metafile: true }>> {
  const { metafile } = await build({ ...command, write: false })
  const entries = Object.values(metafile.outputs).flatMap(({ entryPoint = MAIN }) => entryPoint)
  const loadedLater = new Set(entries.filter((entry) => entry !== MAIN && entry !== START))
  return build({ ...command, plugins: [importStart(loadedLater), ...command.plugins] })
}

function importStart(entries: ReadonlySet<string>): Plugin {
  return {
    name: 'import-start',
    setup({ onLoad }) {
      onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
        const entry = path.slice(command.absWorkingDir.length)
        if (!entries.has(entry)) return undefined
        return { contents: `${await readFile(path, 'utf8')}\nimport '${command.absWorkingDir}${START}'`, loader: 'ts' }
      })
    },
  }
}
