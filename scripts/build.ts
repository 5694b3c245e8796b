/**
 * Bundles the package with its dependencies, so that installing it installs nothing else. Unused parts of the
 * dependencies are left out, because loading them would take most of the start-up time.
 */
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { common, explainMissingMsw, inNode } from './bundle.js'
import { buildCommand } from './command.js'
import { buildCommonJs } from './commonjs.js'
import { buildDeclarations } from './declarations.js'
import { type Core, inFewFiles } from './few-files.js'
import { generateIfNeeded } from './generate-if-needed.js'
import { buildPages } from './pages.js'
import { importShared } from './shared.js'

const root = fileURLToPath(new URL('../', import.meta.url))

/** The entries that can also be required. */
const COMMONJS_ENTRIES = {
  index: 'src/index.ts',
  node: 'src/adapters/node/index.ts',
  client: 'src/tools/client/index.ts',
  assertions: 'src/runners/assertions/index.ts',
  ssr: 'src/runners/ssr.ts',
  jest: 'src/runners/jest/index.ts',
  playwright: 'src/runners/playwright/index.ts',
  server: 'src/adapters/server/index.ts',
}
const NODE_ENTRIES = {
  ...COMMONJS_ENTRIES,
  vite: 'src/runners/vite/index.ts',
  'vite/page': 'src/runners/vite/page-mock.ts',
  vitest: 'src/runners/vitest/index.ts',
  'vitest/reporter': 'src/runners/vitest/reporter.ts',
}
const CORE: Core = {
  module: NODE_ENTRIES.index,
  without: (['client', 'assertions', 'ssr', 'vite/page', 'vitest/reporter'] as const).map((name) => NODE_ENTRIES[name]),
}
const BROWSER_ENTRIES = { browser: 'src/adapters/browser/index.ts' }

await generateIfNeeded()
await rm(`${root}dist`, { recursive: true, force: true })
const onNode = await build(
  await inFewFiles(
    {
      ...inNode,
      entryPoints: NODE_ENTRIES,
      plugins: [...inNode.plugins, explainMissingMsw, importShared('../shared')],
    },
    CORE,
  ),
)
const commonJs = await buildCommonJs(COMMONJS_ENTRIES, CORE)
const command = await buildCommand()
const inBrowser = await build(
  await inFewFiles(
    {
      ...common,
      entryPoints: BROWSER_ENTRIES,
      outdir: 'dist/browser',
      platform: 'browser',
      target: 'es2022',
      // It is loaded by web pages.
      minify: true,
    },
    { module: BROWSER_ENTRIES.browser, without: [] },
  ),
)
const inPages = await buildPages(`${root}dist/pages`)
const bundles = [onNode, commonJs, ...command, inBrowser]
const inputs = [...bundles.flatMap(({ metafile }) => Object.keys(metafile.inputs)), ...inPages]
await writeFile(`${root}dist/THIRD-PARTY-LICENSES.txt`, await collectLicences(inputs))
await chmod(`${root}dist/cli.js`, 0o755)
await buildDeclarations(Object.values({ ...NODE_ENTRIES, ...BROWSER_ENTRIES }), Object.values(COMMONJS_ENTRIES))

/** The licences of the bundled packages, which must be distributed with the code. */
async function collectLicences(inputs: readonly string[]): Promise<string> {
  const folders = new Set(inputs.flatMap((input) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []))
  const texts = [...folders].sort().map(async (folder) => {
    const { name, version, license } = JSON.parse(await readFile(`${root}${folder}/package.json`, 'utf8'))
    // A file that is itself a bundle has the licences of its contents in a separate file.
    const isLicence = (entry: string) =>
      /^(?:licen[cs]e|notice)/i.test(entry) || inputs.some((input) => `${input}.LICENSE.txt` === `${folder}/${entry}`)
    const files = (await readdir(`${root}${folder}`)).filter(isLicence)
    const texts = await Promise.all(files.map((file) => readFile(`${root}${folder}/${file}`, 'utf8')))
    return `${name} ${version} (${license})\n\n${texts.map((text) => text.trim()).join('\n\n')}\n`
  })
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`)
}
