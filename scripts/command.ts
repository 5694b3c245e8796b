import { type BuildOptions, type BuildResult, build } from 'esbuild'
import { inNode } from './bundle.js'
import { inFewFiles } from './few-files.js'
import { buildShared, requireShared } from './shared.js'

const MAIN = 'src/cli/main.ts'

/** Builds dist/cli.js and what it loads, separately from the adapters, with all that starting the server needs in one file. */
export async function buildCommand(): Promise<BuildResult<{ metafile: true }>[]> {
  const command = {
    ...inNode,
    entryPoints: { cli: MAIN },
    plugins: [...inNode.plugins, requireShared],
    minify: true,
  } satisfies BuildOptions
  const options = await inFewFiles(command, { module: 'src/cli/run.ts', without: [MAIN] })
  return Promise.all([build(options), buildShared()])
}
