import { test as base } from '@playwright/test'
import { connect } from 'petstore-mock/client'
import { createPage } from './page.js'

const { MOCK_PORT = '4010' } = process.env
const MOCK = `http://127.0.0.1:${MOCK_PORT}`

/** A sandbox of a service for each test. The page's requests to the service reach it without knowing. */
function sandboxOf(name) {
  return async ({ page }, use, { testId }) => {
    const service = connect(`${MOCK}/${name}`, { sandbox: testId })
    await page.route(`${MOCK}/${name}/**`, (route) =>
      route.continue({ url: route.request().url().replace(`/${name}/`, `/${name}/sandbox/${testId}/`) }),
    )
    await use(service)
    await service.check()
    await service.sandboxes.delete(testId)
  }
}

export const test = base.extend({
  shop: sandboxOf('shop'),
  billing: sandboxOf('billing'),
  page: async ({ page }, use) => {
    await page.route(`${MOCK}/page`, (route) => route.fulfill({ contentType: 'text/html', body: createPage(MOCK) }))
    await use(page)
  },
})
