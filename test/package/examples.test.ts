import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testedBlocks } from '../support/docs-blocks.js'
import { runQuietly, setUpExample } from '../support/examples.js'

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

it('runs the example for Jest, and the test of docs/unit-tests.md', async () => {
  const project = await setUpExample('jest')
  await writeFile(join(project, 'test/of-the-page.test.js'), test?.code ?? '')
  expect(await runQuietly(project, ['test'])).toMatch(/Tests: +8 passed, 8 total/)
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
