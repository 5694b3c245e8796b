import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { hasChromium } from '../support/chromium.js'
import { runQuietly, useWorkshop } from '../support/examples-project.js'
import { readStories } from '../support/examples-storybook.js'
import { INSTALL_TIMEOUT_MS } from '../support/packed.js'

const canRun = hasChromium()
const workshop = useWorkshop()
let project: string

beforeAll(async () => {
  project = await workshop.installExample('component-tests')
}, INSTALL_TIMEOUT_MS)

it('runs the example for component tests', { timeout: INSTALL_TIMEOUT_MS }, async () => {
  expect(await runQuietly(project, ['test'])).toMatch(/Tests +9 passed \(9\)/)
  await runQuietly(project, ['run', 'types'])
})

it.skipIf(!canRun)('shows its stories in Storybook', { timeout: INSTALL_TIMEOUT_MS }, async () => {
  expect(await runQuietly(project, ['run', 'storybook:build'])).toContain('build completed')

  const shown = await readStories(join(project, 'storybook-static'), {
    'pet-list--full': 'li',
    'pet-list--empty': 'p:not([role])',
    'pet-list--closed': '[role=alert] p',
  })
  expect(shown).toEqual({
    'pet-list--full': 'Acorn',
    'pet-list--empty': 'No pets are waiting for a home today.',
    'pet-list--closed': 'The shop is closed for a moment.',
  })
})
