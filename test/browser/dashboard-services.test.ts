import { expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/adapters/server/index.js'
import { library } from '../support/library.js'
import { untilLive, useDashboards } from './dashboard.js'

const { openAt } = useDashboards()

it('leads from the dashboard of a service to those of the others, in the same sandbox', async () => {
  const services = { town: library, school: { service: library, scenario: 'empty' } }
  const server = await startServer({ port: 0, services })
  onTestFinished(() => server.close())
  const page = await openAt(server.url, { prefix: '/town' })
  await untilLive(page)
  const links = page.getByRole('navigation', { name: 'Services' }).getByRole('link')
  // The page learns of them on its own, before or after it is live.
  await expect.poll(() => links.allInnerTexts()).toEqual(['town', 'school'])
  expect(await page.getByRole('link', { name: 'town', exact: true }).getAttribute('aria-current')).toBe('page')
  await page.getByRole('link', { name: 'school', exact: true }).click()
  await expect.poll(() => page.url()).toContain(`${server.url}/school/__admin/`)
  await untilLive(page)
  await expect.poll(() => page.getByText('scenario empty').count()).toBe(1)

  server.mocks.town.sandboxes.open('a')
  server.mocks.school.sandboxes.open('a')
  const inSandbox = await openAt(server.url, { prefix: '/school/sandbox/a' })
  await untilLive(inSandbox)
  await inSandbox.getByRole('link', { name: 'town', exact: true }).click()
  await expect.poll(() => inSandbox.url()).toContain(`${server.url}/town/sandbox/a/__admin/`)
})
