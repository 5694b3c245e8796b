import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { shop } from '../support/client.js'
import { confirm, expectProblem, untilLive, useDashboards } from './dashboard.js'

const { startMock } = useDashboards()

const rows = (page: Page, table: string) => page.getByRole('table', { name: table }).locator('tbody tr')
const column = (page: Page, table: string, index: number) =>
  rows(page, table).locator(`td:nth-child(${index})`).allInnerTexts()

describe('a table', () => {
  it('is paged, sorted and filtered by the mock, and the back button works', async () => {
    const { open, server } = await startMock()
    const page = await open({ route: '/data/pets' })
    await page.getByText('1 to 20 of 72').waitFor()
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByText('21 to 40 of 72').waitFor()
    await page.goBack()
    await page.getByText('1 to 20 of 72').waitFor()
    const header = page.getByRole('columnheader', { name: 'Name' })
    await header.getByRole('link').click()
    await expect.poll(() => header.getAttribute('aria-sort')).toBe('ascending')
    await header.getByRole('link').click()
    const names = server.petstore.data.pets.all().map(({ name }) => name)
    const expected = names.toSorted().reverse().slice(0, 20)
    await expect.poll(() => column(page, 'Pets', 2)).toEqual(expected)
    expect(await header.getAttribute('aria-sort')).toBe('descending')
    await page.getByLabel('Status').selectOption('sold')
    await page.getByLabel('Name').fill('MUFF')
    await expect.poll(() => column(page, 'Pets', 2)).toEqual(['Muffin'])
    await page.getByLabel('Name').fill('unknown')
    await page.getByRole('heading', { name: 'No pets' }).waitFor()
  })

  it('is read without using up faults, and without a trace in journal and coverage', async () => {
    const { open, server } = await startMock()
    const { petstore } = server
    petstore.faults.add({ kind: 'timeout' })
    petstore.faults.add({ status: 503, times: 1 })
    petstore.override('listPets', { status: 200, body: [] })
    const before = JSON.stringify([petstore.faults.list(), petstore.overrides.list(), petstore.coverage()])
    const page = await open({ route: '/data/pets' })
    await page.getByText('72 records').waitFor()
    await rows(page, 'Pets').first().getByRole('link', { name: 'Inventory' }).click()
    await page.getByRole('region', { name: 'Inventory of pet 1' }).waitFor()
    expect(petstore.journal.total).toBe(0)
    expect(JSON.stringify([petstore.faults.list(), petstore.overrides.list(), petstore.coverage()])).toBe(before)
  })

  it('accepts only numbers as the filter for an id, and shows the errors of the mock', async () => {
    const { open } = await startMock()
    const page = await open({ route: '/data/orders' })
    const filter = page.getByLabel('Pet id')
    await filter.fill('1.5')
    await page.getByRole('alert').getByText('400 INVALID_REQUEST').waitFor()
    await filter.fill('')
    await filter.pressSequentially('x3')
    await expect.poll(() => filter.inputValue()).toBe('3')
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    await expect.poll(() => page.url()).toContain('petId=3')
  })

  it('links an order to its pet, its category, that category’s pets and their inventory', async () => {
    const { open } = await startMock({ scenario: 'single' })
    const page = await open({ route: '/data/orders' })
    await page.getByRole('link', { name: /^Pet \d+$/ }).click()
    const pet = page.getByRole('region', { name: /^Pet \d+$/ })
    await pet.getByRole('link', { name: /^Category \d+$/ }).click()
    await page
      .getByRole('region', { name: /^Category/ })
      .getByRole('link', { name: 'Pets' })
      .click()
    await expect.poll(() => rows(page, 'Pets').count()).toBe(1)
    await rows(page, 'Pets').getByRole('link', { name: 'Inventory' }).click()
    await page.getByRole('region', { name: /^Inventory of pet/ }).waitFor()
  })

  it('shows large ids exactly', async () => {
    const { open } = await startMock({ scenario: 'big-ids' })
    const page = await open({ route: '/data/pets?sort=-id' })
    await page.getByRole('link', { name: '9223372036854775807', exact: true }).click()
    await page.getByRole('heading', { name: 'Pet 9223372036854775807' }).waitFor()
    await expect.poll(() => page.locator('dl.facts').innerText()).toContain('9223372036854775807')
  })
})

describe('a record', () => {
  it('is created, changed and deleted through the API', async () => {
    const { open, server } = await startMock({ scenario: 'single' })
    const page = await open({ route: '/data/categories' })
    await page.getByRole('button', { name: 'New category' }).click()
    const dialog = page.getByRole('dialog', { name: 'New category' })
    await dialog.getByLabel('Name').fill('Parrots')
    await dialog.getByLabel('Name').press('Enter')
    await expect.poll(() => column(page, 'Categories', 2)).toContain('Parrots')
    const parrots = rows(page, 'Categories').filter({ hasText: 'Parrots' })
    await parrots.getByRole('button', { name: /^Edit/ }).click()
    await page.getByRole('dialog').getByLabel('Description').fill('They talk')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => column(page, 'Categories', 3)).toContain('They talk')
    await parrots.getByRole('button', { name: /^Delete/ }).click()
    await confirm(page, 'Delete')
    await expect.poll(() => rows(page, 'Categories').count()).toBe(1)
    expect(
      server.petstore.journal.entries().flatMap(({ method, status }) => (method === 'GET' ? [] : [[method, status]])),
    ).toEqual([
      ['POST', 201],
      ['PUT', 200],
      ['DELETE', 204],
    ])
  })

  it('is changed with the values it has, and may have an empty name', async () => {
    const { open, server, send } = await startMock({ scenario: 'empty' })
    await send('POST', '/categories', { name: '' })
    await send('POST', '/pets', { name: '', categoryId: 1 })
    const page = await open({ route: '/data/pets/1' })
    await page.getByRole('button', { name: 'Edit Pet 1' }).click()
    const dialog = page.getByRole('dialog', { name: 'Pet 1' })
    await expect.poll(() => dialog.getByLabel('Category').inputValue()).toBe('1')
    expect(await dialog.getByLabel('Status').inputValue()).toBe(String(server.petstore.data.pets.all()[0]?.status))
    await dialog.getByLabel('Status').selectOption('pending')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => dialog.count()).toBe(0)
    expect(server.petstore.data.pets.all()).toEqual([{ id: 1, name: '', categoryId: 1, status: 'pending' }])
  })

  it('stays in its form when it leaves the list, with the values that the API cannot remove', async () => {
    const order = { id: 1, petId: 1, quantity: 1, shipDate: '2030-01-01T00:00:00Z', complete: false }
    const { open, server } = await startMock({ fixtures: shop([{ id: 1, stock: 5 }], [order]) })
    const page = await open({ route: '/data/orders?complete=false' })
    await page.getByRole('button', { name: 'Edit Order 1' }).click()
    const dialog = page.getByRole('dialog', { name: 'Order 1' })
    await dialog.getByLabel('Quantity').fill('3')
    expect(await dialog.getByLabel('Complete').locator('option').allInnerTexts()).toEqual(['true', 'false'])
    server.petstore.data.orders.update(1, { complete: true })
    await page.getByText('0 records').waitFor()
    expect(await dialog.getByLabel('Quantity').inputValue()).toBe('3')
    await dialog.getByLabel('Ship date').fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expectProblem(dialog.getByLabel('Ship date'), 'Ship date: enter a value.')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Categories' }).click()
    await page.getByRole('button', { name: 'Edit Category 1' }).click()
    await page.getByLabel('Description (optional)').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => server.petstore.data.categories.all()[0]?.description).toBe(undefined)
  })

  it('that the API rejects says why next to the field, in the words of the form', async () => {
    const { open, server } = await startMock()
    const pet = server.petstore.data.pets.all().find(({ status }) => status === 'available')
    const page = await open({ route: '/data/orders' })
    await page.getByRole('button', { name: 'New order' }).click()
    const dialog = page.getByRole('dialog')
    const create = dialog.getByRole('button', { name: 'Create' })
    const quantity = dialog.getByLabel('Quantity')
    await dialog.getByLabel('Pet').fill(String(pet?.id))
    await quantity.fill('5000')
    await create.click()
    await expectProblem(quantity, 'Quantity: this is more than there is in stock.')
    await dialog.getByText('409 INSUFFICIENT_STOCK').waitFor()
    await quantity.fill('0')
    await create.click()
    await expectProblem(quantity, 'Quantity: enter 1 or more.')
    await dialog.getByLabel('Pet').fill('999999')
    await create.click()
    await expectProblem(dialog.getByLabel('Pet'), 'Pet: there is no pet with this id.')
    expect(await quantity.getAttribute('aria-invalid')).toBe(null)
    expect(await quantity.inputValue()).toBe('0')
    expect(await dialog.innerText()).not.toMatch(/\/(?:petId|quantity)/)
  })

  it('with several wrong values says so next to each, and moves the focus to the first', async () => {
    const { open, server } = await startMock()
    const page = await open({ route: '/data/orders' })
    await page.getByRole('button', { name: 'New order' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Pet').fill('Rex')
    await dialog.getByLabel('Quantity').fill('1.5')
    await dialog.getByLabel('Ship date').fill('2026-02-30')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expectProblem(dialog.getByLabel('Pet'), 'Pet: enter an id')
    expect(await dialog.locator('.problem').allInnerTexts()).toEqual([
      'Pet: enter an id, which is a whole number.',
      'Quantity: enter a whole number.',
      expect.stringMatching(/^Ship date: enter a date such as /),
    ])
    await dialog.getByLabel('Pet').fill('')
    await dialog.getByLabel('Quantity').fill('2')
    await dialog.getByLabel('Ship date').fill('2026-02-28')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect.poll(() => dialog.count()).toBe(0)
    expect(server.petstore.data.orders.all().at(-1)).toMatchObject({ shipDate: '2026-02-28T00:00:00.000Z' })
  })

  it('can only be changed or deleted where the API allows it', async () => {
    const { open, server } = await startMock({ scenario: 'single' })
    const { data } = server.petstore
    for (const { id } of data.orders.all()) data.orders.update(id, { complete: true })
    const page = await open({ route: '/data/categories' })
    const remove = page.getByRole('button', { name: /^Delete Category/ })
    await expect.poll(() => remove.getAttribute('title')).toBe('It has 1 pet.')
    expect(await remove.isDisabled()).toBe(true)
    const [pet] = data.pets.all()
    data.pets.delete(pet?.id as number)
    await expect.poll(() => remove.isEnabled()).toBe(true)
    await page.getByRole('link', { name: 'Orders' }).click()
    await page.getByRole('button', { name: /^Delete Order/ }).click()
    await confirm(page, 'Delete')
    await page.getByRole('alert').getByText('409 ORDER_COMPLETE').waitFor()
    await page.getByRole('link', { name: 'Inventory' }).first().click()
    await page.getByRole('heading', { name: 'No inventory' }).waitFor()
    expect(await page.getByRole('button', { name: /^New/ }).count()).toBe(0)
  })
})

describe('two browsers', () => {
  it('show each other’s changes: an order lowers the stock, and a reset restores it', async () => {
    const { open, server, send } = await startMock()
    const item = server.petstore.data.inventory
      .all()
      .find(({ quantity, status }) => quantity > 1 && status === 'available')
    const id = String(item?.petId)
    const stock = Number(item?.quantity)
    const one = await open({ route: `/data/inventory/${id}` })
    const other = await open({ route: '/state', newProfile: true })
    await untilLive(other)
    const quantity = one.locator('dl.facts div').nth(1)
    await expect.poll(() => quantity.innerText()).toBe(`Quantity\n${stock}`)
    await send('POST', '/store/orders', `{"petId":${id},"quantity":1}`)
    await expect.poll(() => quantity.innerText()).toBe(`Quantity\n${stock - 1}`)
    await other.getByRole('button', { name: 'Reset', exact: true }).click()
    await confirm(other, 'Reset')
    await expect.poll(() => quantity.innerText()).toBe(`Quantity\n${stock}`)
  })
})
