import { expect, it } from 'vitest'
import { runQuietly, setUpExample } from '../support/examples.js'

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
