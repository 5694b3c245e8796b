import { expect, it } from 'vitest'
import { findChromium, hasChromium } from '../support/chromium.js'
import { runQuietly, setUpExample } from '../support/examples.js'
import { findFreePort } from '../support/find-free-port.js'

const canRun = hasChromium()

it.skipIf(!canRun)('runs the example for Playwright, whose workers need their sandboxes', async () => {
  const project = await setUpExample('playwright-parallel')
  const variables = {
    CHROMIUM_PATH: findChromium() as string,
    PETSTORE_PORT: String(await findFreePort()),
    SHOP_PORT: String(await findFreePort()),
  }
  await runQuietly(project, ['run', 'types'])

  const output = await runQuietly(project, ['test'], variables)
  expect(output).toContain('Running 8 tests using 3 workers')
  expect(output).toMatch(/^ +8 passed/m)
  expect(output).not.toMatch(/failed|flaky|skipped|did not run/)

  // The conflicting tests pass only because of the sandboxes.
  const without = runQuietly(project, ['test', '--', 'at-the-same-time'], { ...variables, SANDBOXES: 'off' })
  await expect(without).rejects.toThrow(/number 7[45]\..*^ +3 failed/ms)
})
