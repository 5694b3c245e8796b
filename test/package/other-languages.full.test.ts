import { existsSync } from 'node:fs'
import { mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, readPage } from '../support/docs-blocks.js'
import { type Installed, installPacked } from '../support/installed.js'
import { run } from '../support/packed.js'
import { hasPrograms } from '../support/programs.js'

/** Debian's package junit5 puts them there, beside what they need. */
const JARS = '/usr/share/java/*'

const blocks = blocksOf(readPage('docs/other-languages.md'))

let installed: Installed

beforeAll(async () => {
  installed = await installPacked()
})

/** Writes the blocks of a language to a new folder, each to the file that its first line names. */
async function writeBlocks(language: string): Promise<string> {
  const folder = await mkdtemp(join(installed.folder, `${language}-`))
  await symlink(join(installed.folder, 'node_modules'), join(folder, 'node_modules'))
  for (const { code } of blocks.filter((block) => block.language === language)) {
    const [, file = ''] = /^(?:#|\/\/) (\S+)\n/.exec(code) ?? []
    await writeFile(join(folder, file), code)
  }
  return folder
}

async function runBlocks(language: string, program: string, ...args: string[]): Promise<string> {
  const folder = await writeBlocks(language)
  const env = { ...installed.env, GO111MODULE: 'off', GOCACHE: join(folder, 'cache') }
  const { stdout } = await run(program, args, { cwd: folder, env })
  return stdout
}

it('has a test for every language of the page', () => {
  expect([...new Set(blocks.map(({ language }) => language))]).toEqual(['python', 'java', 'go'])
})

describe.skipIf(!hasPrograms(['pytest-3'], 'CI_PYTEST'))('pytest', () => {
  it.each([[[]], [['-n', '2']]])('runs the tests of the page with the arguments %j', async (args) => {
    expect(await runBlocks('python', 'pytest-3', ...args)).toContain('6 passed')
  })

  it('saves the reproduction of the test that fails, which can be replayed', async () => {
    const folder = await writeBlocks('python')
    const tests =
      'from test_orders import order\n\n\ndef test_order(petstore):\n    assert order(petstore.url, 1) == {}\n'
    await writeFile(join(folder, 'test_failing.py'), tests)
    await expect(run('pytest-3', [], { cwd: folder, env: installed.env })).rejects.toMatchObject({
      stdout: expect.stringContaining('1 failed, 6 passed'),
    })
    const files = await readdir(folder)
    expect(files.filter((file) => file.endsWith('.petstore.json'))).toEqual(['test_order.petstore.json'])
    const replay = [join(folder, 'node_modules/.bin/petstore-mock'), 'replay', 'test_order.petstore.json']
    expect((await run('node', replay, { cwd: folder, env: installed.env })).stdout).toContain('1 same, 0 different')
  })
})

const hasJUnit = existsSync('/usr/share/java/junit-jupiter-api.jar') && hasPrograms(['javac'], 'CI_JAVA')

it.skipIf(!hasJUnit)('runs the tests of the page with JUnit 5', async () => {
  const launch = 'org.junit.platform.console.ConsoleLauncher --scan-classpath . --disable-banner'
  const script = `javac -cp '${JARS}' *.java && java -cp '.:${JARS}' ${launch}`
  expect(await runBlocks('java', 'sh', '-c', script)).toMatch(/4 tests successful/)
})

it.skipIf(!hasPrograms(['go'], 'CI_GO'))('runs the tests of the page with Go', async () => {
  expect(await runBlocks('go', 'go', 'test', '-v')).toMatch(/^PASS\nok/m)
})
