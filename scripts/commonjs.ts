import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildResult, build, transform } from 'esbuild'
import { inNode } from './bundle.js'
import { type Core, inFewFiles } from './few-files.js'
import { importShared } from './shared.js'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Stands in for `import.meta.url`. */
const MODULE_URL = "const moduleUrl = require('node:url').pathToFileURL(__filename).href;"

/**
 * Builds dist/cjs for `require`. esbuild splits only ES modules into chunks, so it first builds those, and then converts
 * each file. Without chunks, every entry would have its own copy of the engine.
 */
export async function buildCommonJs(
  entryPoints: Readonly<Record<string, string>>,
  core: Core,
): Promise<BuildResult<{ metafile: true }>> {
  const result = await build(
    await inFewFiles(
      {
        ...inNode,
        entryPoints,
        outdir: 'dist/cjs',
        plugins: [...inNode.plugins, importShared('../../shared')],
        write: false,
        // Contains msw, unlike the ES modules: Jest cannot load msw, because dependencies of its CommonJS build are ES modules.
        // Only msw's handlers for GraphQL load graphql.
        external: ['@playwright/test', '@jest/globals', 'graphql'],
      },
      core,
    ),
  )
  for (const { path, text } of result.outputFiles) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, await toCommonJs(text))
  }
  await writeFile(`${root}dist/cjs/package.json`, '{ "type": "commonjs" }\n')
  return result
}

async function toCommonJs(text: string): Promise<string> {
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: inNode.target,
    banner: text.includes('import.meta.url') ? `'use strict';${MODULE_URL}` : "'use strict';",
    define: { 'import.meta.url': 'moduleUrl' },
    // Jest supports `import()` only with a flag of Node.
    supported: { 'dynamic-import': false },
  })
  return code
}
