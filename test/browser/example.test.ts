import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { settle, useShops } from '../support/example-shop.js'

const { openShop, browser } = useShops()

// --- Actions of a user ---

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

const row = (page: Page, order: number) => page.getByRole('listitem').filter({ has: heading(page, `Order ${order}`) })

const names = (page: Page) => page.getByRole('region', { name: 'Pets' }).getByRole('heading', { level: 3 })

/** The value of this property on a pet's page. */
const fact = (page: Page, name: string) => page.getByRole('term').filter({ hasText: name }).locator('xpath=../dd')

const shows = (locator: Locator, text: string | RegExp) => expect.poll(() => locator.innerText()).toMatch(text)

const stock = (page: Page, quantity: number) => shows(fact(page, 'In stock'), RegExp(`^${quantity}$`))

async function count(page: Page, text: string) {
  await page.getByRole('main').getByRole('status').getByText(text, { exact: true }).waitFor()
}

async function order(page: Page, quantity: number) {
  await page.getByLabel('Quantity').fill(String(quantity))
  await page.getByRole('button', { name: 'Place order' }).click()
}

async function control(page: Page, name: string) {
  const button = page.getByRole('button', { name })
  if (!(await button.isVisible())) await page.getByText('Mock controls').click()
  await button.click()
}

async function reload(page: Page) {
  await settle(page)
  await page.reload()
}

const mainNav = (page: Page, name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })

// --- The shop ---

describe('browsing', () => {
  it('goes from page to page', async () => {
    const page = await (await openShop()).open()
    await count(page, '1 to 12 of 72')
    const first = await names(page).allInnerTexts()
    expect(first).toHaveLength(12)

    await page.getByRole('link', { name: 'Next page' }).click()
    await count(page, '13 to 24 of 72')
    await page.getByText('Page 2 of 6').waitFor()
    expect(await names(page).allInnerTexts()).not.toEqual(first)

    await page.getByRole('link', { name: 'Previous page' }).click()
    await count(page, '1 to 12 of 72')
    expect(await names(page).allInnerTexts()).toEqual(first)
  })

  it('filters and sorts, also after a reload', async () => {
    const page = await (await openShop()).open()
    await count(page, '1 to 12 of 72')
    await page.getByLabel('Category').selectOption('Goldfish')
    await count(page, '1 to 9 of 9')
    await page.getByRole('checkbox', { name: 'Available' }).check()
    await count(page, '1 to 5 of 5')
    await page.getByLabel('Sort by').selectOption('Name, A to Z')
    const found = ['Amber', 'Bruno', 'Copper', 'Goldie', 'Puddle']
    await expect.poll(() => names(page).allInnerTexts()).toEqual(found)
    await reload(page)
    await expect.poll(() => names(page).allInnerTexts()).toEqual(found)

    await page.getByLabel('Search by name').fill('gold')
    await expect.poll(() => names(page).allInnerTexts()).toEqual(['Goldie'])
    await page.getByRole('checkbox', { name: 'Pending' }).check()
    await expect.poll(() => names(page).allInnerTexts()).toEqual(['Goldie', 'Goldie the Sleepy'])
  })

  it('opens a pet, and links back to the list', async () => {
    const page = await (await openShop()).open()
    await page.getByLabel('Category').selectOption('Goldfish')
    await page.getByRole('link', { name: 'Copper' }).click()
    await heading(page, 'Copper').waitFor()
    await stock(page, 20)
    await shows(fact(page, 'Status'), 'Available')
    expect(await page.title()).toBe('Copper · Pet Store')
    await page.getByRole('link', { name: 'All pets' }).click()
    await count(page, '1 to 9 of 9')
  })

  it('says that nothing matches, and shows all again', async () => {
    const page = await (await openShop()).open()
    await page.getByLabel('Search by name').fill('nobody is called that')
    await heading(page, 'Nobody fits that description').waitFor()
    await page.getByRole('link', { name: 'Clear all filters' }).click()
    await count(page, '1 to 12 of 72')
    expect(await page.getByLabel('Search by name').inputValue()).toBe('')
  })

  it('shows a message for an unknown page and for an unknown pet', async () => {
    const { open } = await openShop()
    const page = await open('/nowhere')
    await heading(page, 'This page has wandered off').waitFor()
    await page.getByRole('link', { name: 'See all pets' }).click()
    await count(page, '1 to 12 of 72')
    await heading(await open('/pets/4711'), 'We do not know this pet').waitFor()
  })
})

describe('ordering', () => {
  it('reduces the stock; cancelling an order restores it, completing one does not', async () => {
    const page = await (await openShop()).open('/pets/66')
    await stock(page, 20)
    await page.getByRole('button', { name: 'One more' }).click()
    await page.getByRole('button', { name: 'Place order' }).click()
    await page.getByText('Order 121 is placed: 2 × Copper.').waitFor()
    await stock(page, 18)
    await order(page, 5)
    await page.getByText('Order 122 is placed: 5 × Copper.').waitFor()
    await stock(page, 13)

    await page.getByRole('link', { name: 'See all orders' }).click()
    await count(page, '122 orders')
    await page.getByRole('button', { name: 'Complete order 121' }).click()
    await page.getByText('Order 121 is complete.').waitFor()
    await row(page, 121).getByText('Complete', { exact: true }).waitFor()
    expect(await row(page, 121).getByRole('button').count()).toBe(0)
    await page.getByRole('button', { name: 'Cancel order 122' }).click()
    await page.getByText('Order 122 is cancelled.').waitFor()
    await row(page, 122).waitFor({ state: 'detached' })

    await row(page, 121).getByRole('link', { name: 'Copper' }).click()
    await stock(page, 18)
  })

  it('shows open and complete orders separately', async () => {
    const page = await (await openShop()).open('/orders')
    await count(page, '120 orders')
    const views = page.getByRole('navigation', { name: 'Which orders' })
    await views.getByRole('link', { name: 'Open' }).click()
    await count(page, '24 orders')
    await views.getByRole('link', { name: 'Complete' }).click()
    await count(page, '96 orders')
    expect(await page.getByRole('button', { name: /^Cancel order/ }).count()).toBe(0)
  })

  it('rejects more than the stock, and says why', async () => {
    const page = await (await openShop()).open('/pets/66')
    await order(page, 21)
    await page.getByRole('alert').getByText('We do not have that many.').waitFor()
    await stock(page, 20)
    await order(page, 20)
    await page.getByText('Order 121 is placed: 20 × Copper.').waitFor()
    await stock(page, 0)
    await shows(fact(page, 'Status'), 'Pending')
    await page.getByText('All of them are spoken for right now.').waitFor()
  })
})

describe('saved data', () => {
  it('survives a reload, only in this tab', async () => {
    const { open } = await openShop()
    const page = await open('/pets/66')
    await order(page, 3)
    await stock(page, 17)
    await reload(page)
    await stock(page, 17)

    const other = await open('/pets/66')
    await stock(other, 20)
    await order(other, 1)
    await other.getByText('Order 121 is placed: 1 × Copper.').waitFor()
    await stock(other, 19)

    await reload(page)
    await stock(page, 17)
    await order(page, 2)
    await page.getByText('Order 122 is placed: 2 × Copper.').waitFor()
    await reload(other)
    await stock(other, 19)
    await mainNav(other, 'Orders').click()
    await count(other, '121 orders')
    await mainNav(page, 'Orders').click()
    await count(page, '122 orders')
  })

  it('is removed by a reset, also after a reload', async () => {
    const page = await (await openShop()).open('/pets/66')
    await order(page, 3)
    await stock(page, 17)
    await control(page, 'Reset the store')
    await page.getByText('The store is as it was at first.').waitFor()
    await stock(page, 20)
    await reload(page)
    await stock(page, 20)
    await mainNav(page, 'Orders').click()
    await count(page, '120 orders')
  })
})

describe('the mock controls', () => {
  it('make one request fail, and the shop recovers', async () => {
    const page = await (await openShop()).open()
    await count(page, '1 to 12 of 72')
    await control(page, 'Make the next request fail (503)')
    await page.getByText('One request will be answered with 503.').waitFor()
    await mainNav(page, 'Orders').click()
    await page.getByRole('alert').getByText('The store is taking a short break.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await count(page, '120 orders')
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('make an order fail, which does not change the stock, and a reset still works', async () => {
    const page = await (await openShop()).open('/pets/66')
    await stock(page, 20)
    await control(page, 'Make the next request fail (503)')
    await order(page, 2)
    await page.getByRole('alert').getByText('The store is taking a short break.').waitFor()
    await stock(page, 20)
    await order(page, 2)
    await stock(page, 18)
    await control(page, 'Reset the store')
    await stock(page, 20)
    await control(page, 'Make the next request fail (503)')
    await mainNav(page, 'Orders').click()
    await page.getByRole('button', { name: 'Try again' }).click()
    await count(page, '120 orders')
  })

  it('delay responses', async () => {
    const page = await (await openShop()).open()
    await count(page, '1 to 12 of 72')
    await page.getByText('Mock controls').click()
    await page.getByRole('checkbox', { name: 'Answer slowly' }).check()
    await mainNav(page, 'Orders').click()
    await page.locator('[aria-busy=true]').waitFor()
    await count(page, '120 orders')
  })
})

describe('the example', () => {
  it('works without a network', async () => {
    const page = await browser().newPage()
    await expect(page.goto('http://petstore.example/')).rejects.toThrow('ERR_NAME_NOT_RESOLVED')
    await page.close()
  })

  it('works under a path', async () => {
    const { open, server } = await openShop({ build: 'dist-shop', base: '/shop/' })
    const page = await open('/pets/66')
    await order(page, 4)
    await stock(page, 16)
    await reload(page)
    await stock(page, 16)
    await mainNav(page, 'Orders').click()
    await count(page, '121 orders')
    expect(server.received.filter((path) => !path.startsWith('/shop/'))).toEqual([])
  })
})
