import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { soon, untilLive, useDashboards } from '../support/dashboard.js'

const { openBench } = useDashboards()

const rows = (page: Page, table: string) => page.getByRole('table', { name: table }).locator('tbody tr')
const column = (page: Page, table: string, index: number) =>
  rows(page, table).locator(`td:nth-child(${index})`).allInnerTexts()

describe('The tables', () => {
  it('are paged, sorted and filtered by the API, and going back leads back', async () => {
    const { open, server } = await openBench()
    const page = await open({ route: '/data/pets' })
    await page.getByText('1 to 20 of 72').waitFor()
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByText('21 to 40 of 72').waitFor()
    await page.goBack()
    await page.getByText('1 to 20 of 72').waitFor()
    await page.getByRole('link', { name: 'Name' }).click()
    await page.getByRole('link', { name: 'Name' }).click()
    const names = server.petstore.data.pets.all().map(({ name }) => name)
    const expected = names.toSorted().reverse().slice(0, 20)
    await soon(() => column(page, 'Pets', 2)).toEqual(expected)
    expect(await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('descending')
    await page.getByLabel('Status').selectOption('sold')
    await page.getByLabel('Name contains').fill('MUFF')
    await soon(() => column(page, 'Pets', 2)).toEqual(['Muffin'])
    await page.getByLabel('Name contains').fill('nobody')
    await page.getByText('No pets here').waitFor()
  })

  it('show what is wrong with a filter at the filter', async () => {
    const { open } = await openBench()
    const page = await open({ route: '/data/pets' })
    await page.getByLabel('Category id').fill('dogs')
    await page.getByText('query parameter categoryId must be').waitFor()
    expect(await page.getByLabel('Category id').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Category id').fill('3')
    await soon(() => page.getByLabel('Category id').getAttribute('aria-invalid')).toBe(null)
  })

  it('lead from an order to its pet, its category, the pets of it and their stock', async () => {
    const { open } = await openBench({ scenario: 'single' })
    const page = await open({ route: '/data/orders' })
    await page.getByRole('link', { name: /^Pet \d+$/ }).click()
    const pet = page.getByRole('region', { name: /^Pet \d+$/ })
    // Called by its number until its name is known.
    await pet.locator('dd a').nth(1).click()
    await page
      .getByRole('region', { name: /^Category/ })
      .getByRole('link', { name: 'Pets' })
      .click()
    await soon(() => rows(page, 'Pets').count()).toBe(1)
    await rows(page, 'Pets').getByRole('link', { name: 'Stock' }).click()
    await page.getByRole('region', { name: /^Stock of pet/ }).waitFor()
  })

  it('show ids digit for digit', async () => {
    const { open } = await openBench({ scenario: 'big-ids' })
    const page = await open({ route: '/data/pets?sort=-id' })
    await page.getByRole('link', { name: '9223372036854775807', exact: true }).click()
    await page.getByRole('heading', { name: 'Pet 9223372036854775807' }).waitFor()
    await soon(() => page.locator('dl.facts').innerText()).toContain('9223372036854775807')
  })
})

describe('A record', () => {
  it('is created, changed and deleted through the API', async () => {
    const { open, server } = await openBench({ scenario: 'single' })
    const page = await open({ route: '/data/categories' })
    await page.getByRole('button', { name: 'New category' }).click()
    const dialog = page.getByRole('dialog', { name: 'New category' })
    await dialog.getByLabel('Name').fill('Parrots')
    await dialog.getByLabel('Name').press('Enter')
    await soon(() => column(page, 'Categories', 2)).toContain('Parrots')
    const parrots = rows(page, 'Categories').filter({ hasText: 'Parrots' })
    await parrots.getByRole('button', { name: /^Edit/ }).click()
    await page.getByRole('dialog').getByLabel('Description').fill('They talk')
    await page.getByRole('button', { name: 'Save' }).click()
    await soon(() => column(page, 'Categories', 3)).toContain('They talk')
    await parrots.getByRole('button', { name: /^Delete/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await soon(() => rows(page, 'Categories').count()).toBe(1)
    expect(
      server.petstore.journal.entries().flatMap(({ method, status }) => (method === 'GET' ? [] : [[method, status]])),
    ).toEqual([
      ['POST', 201],
      ['PUT', 200],
      ['DELETE', 204],
    ])
  })

  it('that the API refuses shows why at the field', async () => {
    const { open } = await openBench()
    const page = await open({ route: '/data/pets' })
    await page.getByRole('button', { name: 'New pet' }).click()
    const dialog = page.getByRole('dialog', { name: 'New pet' })
    await dialog.getByLabel('Name').fill('Rex')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('/categoryId is missing').waitFor()
    expect(await dialog.getByLabel('Category').getAttribute('aria-invalid')).toBe('true')
    await dialog.getByLabel('Category').fill('dogs')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('/categoryId must be a 64-bit integer').waitFor()
    await dialog.getByLabel('Category').fill('999')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('no category has the id 999').waitFor()
    await dialog.getByLabel('Category').press('Escape')
    await soon(() => dialog.count()).toBe(0)
    const focused = page.getByRole('button', { name: 'New pet' })
    expect(await focused.evaluate((button) => button === document.activeElement)).toBe(true)
  })

  it('that cannot be ordered or changed like that shows why at the field that is to blame', async () => {
    const { open, server } = await openBench()
    const pet = server.petstore.data.pets.all().find(({ status }) => status === 'available')
    const page = await open({ route: '/data/orders' })
    await page.getByRole('button', { name: 'New order' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Pet').fill(String(pet?.id))
    await dialog.getByLabel('Quantity').fill('5000')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('/quantity is 5000').waitFor()
    expect(await dialog.getByLabel('Quantity').getAttribute('aria-invalid')).toBe('true')
  })

  it('that cannot be deleted shows why at its row', async () => {
    const { open } = await openBench({ scenario: 'single' })
    const page = await open({ route: '/data/categories' })
    await page.getByRole('button', { name: /^Delete Category/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText(/Category \d+ still has pets/).waitFor()
    expect(await rows(page, 'Categories').count()).toBe(2)
  })
})

describe('Two browsers', () => {
  it('see each other’s changes: stock falls with an order, and a reset brings it back', async () => {
    const { open, server, send } = await openBench()
    const item = server.petstore.data.inventory
      .all()
      .find(({ quantity, status }) => quantity > 1 && status === 'available')
    const id = String(item?.petId)
    const stock = Number(item?.quantity)
    const one = await open({ route: `/data/inventory/${id}` })
    const other = await open({ route: '/world' })
    await untilLive(other)
    const quantity = one.locator('dl.facts div').nth(1)
    await soon(() => quantity.innerText()).toBe(`In stock\n${stock}`)
    await send('POST', '/store/orders', `{"petId":${id},"quantity":1}`)
    await soon(() => quantity.innerText()).toBe(`In stock\n${stock - 1}`)
    await other.getByRole('button', { name: 'Reset to the start' }).click()
    await other.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
    await soon(() => quantity.innerText()).toBe(`In stock\n${stock}`)
  })

  it('see a record that the other one creates', async () => {
    const { open } = await openBench({ scenario: 'empty' })
    const one = await open({ route: '/data/categories' })
    const other = await open({ route: '/data/categories' })
    await one.getByText('No categories here').waitFor()
    await other.getByText('No categories here').waitFor()
    await one.getByRole('button', { name: 'New category' }).click()
    await one.getByRole('dialog').getByLabel('Name').fill('Owls')
    await one.getByRole('button', { name: 'Create' }).click()
    await soon(() => column(other, 'Categories', 2)).toEqual(['Owls'])
  })
})
