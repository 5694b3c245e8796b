import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testedBlocks } from '../support/docs-blocks.js'
import { runQuietly, setUpExample } from '../support/examples.js'
import { npm } from '../support/packed.js'

/** The number of tests in each example, because a run without tests would pass too. */
const EXAMPLES = [
  { name: 'vitest', passed: /Tests +8 passed \(8\)/, scripts: ['types'] },
  { name: 'jest', passed: /Tests: +7 passed, 7 total/, scripts: [] },
  { name: 'jest-esm', passed: /Tests: +7 passed, 7 total/, scripts: [] },
  { name: 'node-test', passed: /[#ℹ] pass 6\n[#ℹ] fail 0/, scripts: [] },
]

it.each(EXAMPLES)('runs the example for $name', async ({ name, passed, scripts }) => {
  const project = await setUpExample(name)
  expect(await runQuietly(project, ['test'])).toMatch(passed)
  for (const script of scripts) await runQuietly(project, ['run', script])
})

const [test, imports, settings] = testedBlocks('docs/unit-tests.md', 'test/package/examples.test.ts')

it('runs the test for Jest in docs/unit-tests.md', async () => {
  const project = await setUpExample('jest', 'jest-docs')
  await writeFile(join(project, 'test/adoption-desk.test.js'), test?.code ?? '')
  expect(await runQuietly(project, ['test'])).toMatch(/Tests: +1 passed, 1 total/)
})

it('runs it with ES modules, with the settings of the page', async () => {
  const project = await setUpExample('jest-esm', 'jest-esm-docs')
  const manifest = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'))
  const { jest: _jest, scripts: _scripts, type: _type, ...rest } = manifest
  await writeFile(join(project, 'package.json'), JSON.stringify({ ...rest, ...JSON.parse(settings?.code ?? '') }))
  const code = test?.code.replace(/^(const .* = require.*\n){2}/, imports?.code ?? '') ?? ''
  expect(code).not.toContain('require')
  await writeFile(join(project, 'test/adoption-desk.test.js'), code)
  // Not quietly: Node warns of the flag that Jest needs.
  expect(await npm(project, ['test'])).toMatch(/Tests: +1 passed, 1 total/)
})
