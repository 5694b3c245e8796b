import { createTest } from 'petstore-mock/playwright'
import shop from '../shop.service.js'
import { createPage } from './page.js'

const PAGE = 'https://shop.example/'

export const test = createTest({
  shop: { service: shop, baseUrl: `${PAGE}api/shop` },
  billing: { document: 'billing.json', baseUrl: `${PAGE}api/billing` },
}).extend({
  // In place of an application.
  page: async ({ page }, use) => {
    await page.route(PAGE, (route) => route.fulfill({ contentType: 'text/html', body: createPage() }))
    await use(page)
  },
})
