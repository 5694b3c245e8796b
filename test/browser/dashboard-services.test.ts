import { expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/adapters/server/index.js'
import type { RecordedExchange } from '../../src/engine/reproduction/reproduction.js'
import { toSnippet } from '../../src/snippets/index.js'
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

it('copies a request to another service as code for that service', async () => {
  const server = await startServer({ port: 0, service: library })
  onTestFinished(() => server.close())
  await server.mock.fetch('/books/1')
  const page = await openAt(server.url, { route: '/requests/1' })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url })
  await page.getByText('Copy as…').click()
  const reproduction = server.mock.reproduction()
  for (const kind of ['vitest', 'override'] as const) {
    await page.getByRole('button', { name: kind }).click()
    await page.getByText(`Copied the request as ${kind}.`).waitFor()
    const code = toSnippet(kind, reproduction, reproduction.steps as RecordedExchange[], { base: server.url })
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code)
    expect(code).toContain(kind === 'vitest' ? `loadDocument('./openapi.yaml')` : `mock.override('getBook', `)
  }
})
