import { expect, it } from 'vitest'
import { useAdapterSites } from './adapter-site.js'
import { addAxe, findViolations } from './browser.js'
import { takePictures } from './pictures.js'

const { openSite } = useAdapterSites()

it('is accessible at the bottom and at the side', async () => {
  const { page, start, fetch } = await (await openSite()).openPage('/', addAxe)
  expect(await start({ baseUrl: '/api' })).toBe('')
  await page.evaluate(() => window.page.get('petstore').openDashboard())
  const panel = page.getByRole('region', { name: 'petstore-mock dashboard' })
  await panel.getByRole('button', { name: 'Got it' }).click()
  for (const path of ['/api/pets/17', '/api/pets?limit=0', '/api/categories']) await fetch(path)
  await panel.getByText('/categories').first().waitFor()
  for (const edge of ['bottom', 'side']) {
    const violations = await findViolations(page)
    expect(violations.filter((each) => each.includes('petstore-mock-dashboard'))).toEqual([])
    await takePictures(page, 'panel', edge)
    await page.setViewportSize({ width: 1280, height: 800 })
    await panel.getByRole('button', { name: 'Move' }).click()
  }
})
