import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { blocksOf, readPage, testedBlocks } from '../support/docs-blocks.js'
import { runQuietly, setUpExample } from '../support/examples.js'
import { run } from '../support/packed.js'

// The number of tests in each example is expected, because a run without tests would pass too.

it('runs the example for vitest', async () => {
  const project = await setUpExample('vitest')
  expect(await runQuietly(project, ['test'])).toMatch(/Tests +8 passed \(8\)/)
  await runQuietly(project, ['run', 'types'])
})

it('runs the example of a library from its document alone', async () => {
  const project = await setUpExample('lending-library')
  expect(await runQuietly(project, ['test'])).toMatch(/[#ℹ] pass 4\n[#ℹ] fail 0/)
})

it('runs the example of a shop with rules, in vitest', async () => {
  const project = await setUpExample('shop-with-rules')
  expect(await runQuietly(project, ['test'])).toMatch(/Tests +4 passed \(4\)/)
  await runQuietly(project, ['run', 'types'])
})

it('runs the example for node:test', async () => {
  const project = await setUpExample('node-test')
  expect(await runQuietly(project, ['test'])).toMatch(/[#ℹ] pass 6\n[#ℹ] fail 0/)
})

const [test, imports, settings] = testedBlocks('docs/unit-tests.md', 'test/package/examples.test.ts')
const [library] = testedBlocks('docs/services.md', 'test/package/examples.test.ts')
const [saving] = testedBlocks('docs/reproduce.md', 'test/package/examples.test.ts')

it('runs the example for Jest, and the tests of docs/unit-tests.md and docs/services.md', async () => {
  const project = await setUpExample('jest')
  await writeFile(join(project, 'test/of-the-page.test.js'), `${test?.code}${saving?.code}`)
  await writeFile(join(project, 'test/library.test.js'), library?.code ?? '')
  const document = blocksOf(readPage('docs/services.md')).find(({ note }) => note?.value === 'library.yaml')
  await writeFile(join(project, 'library.yaml'), document?.code ?? '')
  const spec = ['spec', '--document', 'library.yaml', '--format', 'json']
  const { stdout } = await run('node', [join(project, 'node_modules/.bin/petstore-mock'), ...spec], { cwd: project })
  await writeFile(join(project, 'library.json'), stdout)
  expect(await runQuietly(project, ['test'])).toMatch(/Tests: +9 passed, 9 total/)
  expect(await readdir(join(project, 'test-results'))).toEqual(['lists-pets.petstore.json'])
})

it('runs both with ES modules, with the settings of the page', async () => {
  const project = await setUpExample('jest-esm')
  const { type, scripts, jest } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'))
  const command = scripts.test.replace('--disable-warning=ExperimentalWarning ', '')
  expect({ type, scripts: { test: command }, jest }).toEqual(JSON.parse(settings?.code ?? ''))
  const code = test?.code.replace(/^const .* = require.*\n/, imports?.code ?? '') ?? ''
  expect(code).not.toContain('require')
  await writeFile(join(project, 'test/of-the-page.test.js'), code)
  expect(await runQuietly(project, ['test'])).toMatch(/Tests: +8 passed, 8 total/)
})
