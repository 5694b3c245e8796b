import { expect, it } from 'vitest'
import { findChromium, hasChromium } from '../support/chromium.js'
import { runQuietly, setUpExample } from '../support/examples.js'
import { findFreePort } from '../support/find-free-port.js'

const canRun = hasChromium()

it.skipIf(!canRun)('runs the example for server-side rendering', async () => {
  const project = await setUpExample('ssr')
  const ports: number[] = []
  for (let count = 0; count < 5; count += 1) ports.push(await findFreePort())
  const variables = { CHROMIUM_PATH: findChromium() as string, PORTS: ports.join(',') }
  await runQuietly(project, ['run', 'types'])
  const output = await runQuietly(project, ['test'], variables)
  expect(output).toContain('Running 19 tests using 4 workers')
  expect(output).toMatch(/^ +19 passed/m)
  expect(output).not.toMatch(/failed|flaky|skipped|did not run/)
})
