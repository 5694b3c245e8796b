import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { chromium } from 'playwright-core'
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { findChromium, hasChromium } from '../support/chromium.js'
import { type Block, blocksOf, readPage } from '../support/docs-blocks.js'
import { runQuietly } from '../support/examples.js'
import { findFreePort } from '../support/find-free-port.js'
import { npm, root } from '../support/packed.js'
import { serveFolder } from '../support/static-server.js'

const canBrowse = hasChromium()

const { name, text } = readPage('docs/recipes.md')
const sections: Readonly<Record<string, readonly Block[]>> = Object.fromEntries(
  text.split(/^##+ /m).map((section) => [section.split('\n')[0], blocksOf({ name, text: section })]),
)

const isShell = ({ language }: Block) => language === 'sh'

/** The commands in the blocks of a section that start like this. */
function commandsOf(section: string, start: string): string[] {
  const lines = (sections[section] ?? []).filter(isShell).flatMap(({ code }) => code.trim().split('\n'))
  return lines.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length))
}

/** Installs the packed package, and what the sections install, in the versions of a package.json beside this test. */
async function installRecipe(recipe: string, ...titles: string[]): Promise<string> {
  const folder = join(dirname(inject('tarball')), `recipe-${recipe}`)
  await cp(join(root, 'test/package/recipes', recipe), folder, { recursive: true })
  const { devDependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const words = titles.flatMap((title) => commandsOf(title, 'npm install ')).flatMap((line) => line.split(' '))
  const packages = words.filter((word) => !word.startsWith('--')).sort()
  expect(packages).toEqual([...Object.keys(devDependencies), 'petstore-mock'].sort())
  const options = ['--no-save', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts']
  await npm(folder, ['install', ...options, inject('tarball')])
  return folder
}

/** Writes the files of a section. The first line of a block names its file. */
async function writeFiles(folder: string, section: string, change = (code: string) => code): Promise<void> {
  for (const { code } of (sections[section] ?? []).filter((block) => !isShell(block))) {
    const [, file = ''] = /^\/\/ (\S+)\n/.exec(code) ?? []
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), change(code))
  }
}

/** Runs the commands of a section that start with `npx`. Returns the output of the last. */
async function runCommands(folder: string, section: string, more: NodeJS.ProcessEnv = {}): Promise<string | undefined> {
  const variables = { NEXT_TELEMETRY_DISABLED: '1', STORYBOOK_DISABLE_TELEMETRY: '1', ...more }
  let output: string | undefined
  for (const command of commandsOf(section, 'npx ')) {
    output = await runQuietly(folder, ['exec', '--offline', '--', ...command.split(' ')], variables)
  }
  return output
}

/** Playwright sets FORCE_COLOR for the servers that it starts. Node prints a warning if NO_COLOR is set as well. */
const NO_COLOURS = { NO_COLOR: undefined, FORCE_COLOR: '0' }

describe.skipIf(!canBrowse)('Next.js', () => {
  let folder: string
  let change: (code: string) => string

  beforeAll(async () => {
    folder = await installRecipe('next', 'Next.js')
    const [app, mock] = [await findFreePort(), await findFreePort()].map(String) as [string, string]
    const browser = JSON.stringify({ executablePath: findChromium() })
    change = (code) =>
      code
        .replaceAll('3000', app)
        .replaceAll('4010', mock)
        .replace('use: {', `use: { launchOptions: ${browser},`)
        // Enough on a busy machine.
        .replaceAll('{ command:', '{ timeout: 300_000, command:')
        .replace('fullyParallel: true,', 'fullyParallel: true, timeout: 120_000, expect: { timeout: 30_000 },')
    await writeFiles(folder, 'Next.js')
  })

  it.each([
    ['The mock as a server', 'next start'],
    ["The mock inside the application's process", 'next start'],
    ["The mock inside the application's process", 'next dev'],
  ])('runs the tests: %s, %s', async (section, command) => {
    await writeFiles(folder, section, (code) => change(code).replace('next start', command))
    const output = await runCommands(folder, section, NO_COLOURS)
    expect(output).toContain('Running 5 tests using 2 workers')
    expect(output).toMatch(/^ +5 passed/m)
    expect(output).not.toMatch(/failed|flaky|skipped|did not run/)
  })
})

describe('React', () => {
  let folder: string

  beforeAll(async () => {
    folder = await installRecipe('react', 'TanStack Query', 'Storybook')
    await writeFiles(folder, 'TanStack Query')
    await writeFiles(folder, 'Storybook')
  })

  it('has no errors in the types of the files', async () => {
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TYPES))
    await npm(folder, ['exec', '--offline', '--', 'node', join(root, 'node_modules/typescript-7/bin/tsc')])
  })

  it('runs the tests with TanStack Query', async () => {
    expect(await runCommands(folder, 'TanStack Query')).toMatch(/Tests +4 passed \(4\)/)
  })

  it.skipIf(!canBrowse)('shows every story, and none sees what another one has changed', async () => {
    expect(await runCommands(folder, 'Storybook')).toContain('build completed')
    // Storybook has inline scripts, which the default policy forbids.
    const server = await serveFolder(join(folder, 'storybook-static'), '/', {})
    onTestFinished(() => server.close())
    const browser = await chromium.launch({ executablePath: findChromium() as string, args: ['--no-sandbox'] })
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    await page.goto(`${server.origin}/?path=/story/shop--default`)

    // All of them in one page, which loads the module of the stories once.
    const shown = page.frameLocator('#storybook-preview-iframe').locator('#storybook-root')
    for (const [story, ...texts] of [
      ['default', 'Order Auntie Velvet'],
      ['empty', 'No pets today.'],
      ['default', 'Order Auntie Velvet'],
      ['failing', 'The shop is closed (503).'],
      ['slow', 'Looking for pets …', 'Order Auntie Velvet'],
      ['failing', 'The shop is closed (503).'],
      ['default', 'Order Auntie Velvet'],
    ]) {
      await page.locator(`a[id="shop--${story}"]`).click()
      for (const text of texts) await shown.getByText(text).waitFor()
    }
  })
})

const TYPES = {
  compilerOptions: {
    ...{ target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'], module: 'esnext', moduleResolution: 'bundler' },
    ...{ jsx: 'react-jsx', strict: true, skipLibCheck: true, noEmit: true, types: [] },
  },
  include: ['src', 'test', '.storybook'],
}
