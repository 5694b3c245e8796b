import { type BuildResult, build } from 'esbuild'
import { inNode } from './bundle.js'
import { buildShared, requireShared } from './shared.js'

/**
 * Builds dist/cli.js and what it loads, separately from the adapters, because starting takes longer with the many files
 * they share.
 */
export function buildCommand(): Promise<BuildResult<{ metafile: true }>[]> {
  const command = build({
    ...inNode,
    entryPoints: { cli: 'src/cli/main.ts' },
    plugins: [...inNode.plugins, requireShared],
    minify: true,
  })
  return Promise.all([command, buildShared()])
}
