import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { confirm, download, expectProblem, isFocused, untilLive, useDashboards } from './dashboard.js'

const { startMock } = useDashboards()

const chooseFile = (page: Page, name: string, content: string) =>
  page
    .getByLabel('Import a fixture file')
    .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) })

describe('the state', () => {
  it('is reset to another scenario and seed, and back to the starting data', async () => {
    const { open, server } = await startMock({
      scenario: 'default',
      fixtures: { categories: [{ id: 99, name: 'Owls' }] },
    })
    const page = await open({ route: '/state' })
    const card = page.getByRole('region', { name: 'Starting data' })
    await expect.poll(() => card.locator('dd').allInnerTexts()).toContain('default with fixtures')
    await card.getByLabel('Scenario').selectOption('sold-out')
    await card.getByLabel('Seed').fill('7')
    await card.getByRole('button', { name: 'Reset to scenario' }).click()
    await confirm(page, 'Reset')
    await expect.poll(() => card.locator('dd').allInnerTexts()).toEqual(['sold-out', '7', expect.any(String)])
    expect(server.petstore.data.pets.all().some(({ status }) => status === 'available')).toBe(false)
    // The facts follow the event of the reset, the fields its response.
    await expect.poll(() => card.getByLabel('Seed').inputValue()).toBe('')
    await card.getByRole('button', { name: 'Reset', exact: true }).click()
    await confirm(page, 'Reset')
    await expect.poll(() => card.locator('dd').first().innerText()).toBe('default with fixtures')
    await expect.poll(() => card.getByLabel('Scenario').inputValue()).toBe('default')
  })

  it('is not reset with an invalid seed, or without confirmation', async () => {
    const { open, server } = await startMock()
    const page = await open({ route: '/state' })
    await untilLive(page)
    const seed = page.getByLabel('Seed')
    await seed.fill('-1')
    await page.getByRole('button', { name: 'Reset to scenario' }).click()
    await expectProblem(seed, 'Seed: enter a number of 0 or more.')
    await seed.fill(String(Number.MAX_SAFE_INTEGER + 1))
    await page.getByRole('button', { name: 'Reset to scenario' }).click()
    await expectProblem(seed, 'Seed: enter a smaller number.')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await seed.fill('7')
    await page.getByRole('button', { name: 'Reset to scenario' }).click()
    await confirm(page, 'Cancel')
    expect(await seed.inputValue()).toBe('7')
    expect(server.petstore.startingData.seed).toBe(1)
  })

  it('is not reset when the mock rejects it, and the message gets the focus', async () => {
    const { open } = await startMock()
    const page = await open({ route: '/state' })
    await untilLive(page)
    // As if another version of the mock had stricter rules.
    const error = { code: 'INVALID_REQUEST', message: '/seed must be even', status: 400 }
    await page.route('**/__admin/reset', (route) => route.fulfill({ status: 400, json: error }))
    await page.getByRole('button', { name: 'Reset to scenario' }).click()
    await confirm(page, 'Reset')
    const alert = page.locator('form').getByRole('alert')
    await expect.poll(() => alert.innerText()).toContain('400 INVALID_REQUEST')
    await expect.poll(() => alert.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('is stored as a snapshot, restored and deleted', async () => {
    const { open, server } = await startMock({ scenario: 'single' })
    const page = await open({ route: '/state' })
    const card = page.getByRole('region', { name: 'Snapshots' })
    const name = card.getByLabel('Name')
    await card.getByText('No snapshots yet').waitFor()
    for (const invalid of ['', 'has blanks', '..']) {
      await name.fill(invalid)
      await card.getByRole('button', { name: 'Take snapshot' }).click()
      await expectProblem(name, invalid === '' ? 'Name: enter a value.' : 'Name: use 1 to 64 letters')
    }
    expect(server.petstore.snapshots.list()).toEqual([])
    await name.fill('before')
    await card.getByRole('button', { name: 'Take snapshot' }).click()
    await card.getByText(/\d UTC · 1 category, 1 pet, 1 order$/).waitFor()
    server.petstore.data.categories.create({ name: 'Owls' })
    await card.getByRole('button', { name: 'Restore before' }).click()
    await confirm(page, 'Restore')
    await expect.poll(() => server.petstore.data.categories.all()).toHaveLength(1)
    await card.getByRole('button', { name: 'Delete before' }).click()
    await confirm(page, 'Delete')
    await card.getByText('No snapshots yet').waitFor()
    await expect.poll(() => isFocused(card.getByRole('heading', { name: 'Snapshots' }))).toBe(true)
  })

  it('asks before it replaces a snapshot', async () => {
    const { open, send } = await startMock({ scenario: 'single' })
    await send('POST', '/__admin/snapshots', { name: 'before' })
    await send('POST', '/categories', { name: 'Owls' })
    const page = await open({ route: '/state' })
    const card = page.getByRole('region', { name: 'Snapshots' })
    await card.getByText('1 category, 1 pet, 1 order').waitFor()
    await card.getByLabel('Name').fill('before')
    await card.getByRole('button', { name: 'Take snapshot' }).click()
    await page.getByRole('dialog', { name: 'Replace snapshot before?' }).waitFor()
    await confirm(page, 'Replace')
    await card.getByText('2 categories, 1 pet, 1 order').waitFor()
  })

  it('is exported to a file exactly, and imported again', async () => {
    const { open, server, send } = await startMock({ scenario: 'big-ids' })
    const page = await open({ route: '/state' })
    await untilLive(page)
    const { content: exported } = await download(page, 'Export state')
    const before = await (await send('GET', '/__admin/state')).text()
    expect(exported.replaceAll(/\s/g, '')).toBe(before.replaceAll(/\s/g, ''))
    await send('POST', '/__admin/reset', { scenario: 'empty' })
    expect(server.petstore.data.pets.all()).toEqual([])
    await chooseFile(page, 'saved.json', exported)
    await page.getByRole('dialog', { name: 'Import saved.json?' }).waitFor()
    await confirm(page, 'Import')
    await page.getByText('Imported saved.json.').waitFor()
    expect(await (await send('GET', '/__admin/state')).text()).toBe(before)
  })

  it('is imported from YAML, exactly', async () => {
    const { open, server } = await startMock()
    const page = await open({
      route: '/state',
      prefix: '/sandbox/mine',
      prepare: () => fetch(`${server.url}/sandbox/mine/pets`),
    })
    await untilLive(page)
    const pet = '{ id: 9223372036854775807, name: No, categoryId: 4, status: sold }'
    await chooseFile(page, 'Shop.YML', `# mine\ncategories:\n  - { id: 4, name: Owls }\npets:\n  - ${pet}\n`)
    await confirm(page, 'Import')
    await page.getByText('Imported Shop.YML.').waitFor()
    const { data } = server.petstore.sandboxes.open('mine')
    expect(data.pets.all()).toEqual([{ id: 9223372036854775807n, name: 'No', categoryId: 4, status: 'sold' }])
  })

  it('is not changed by an invalid file', async () => {
    const { open, server } = await startMock()
    const before = server.petstore.exportState()
    const page = await open({ route: '/state' })
    const importFile = async (content: string, name = 'chosen.json') => {
      await chooseFile(page, name, content)
      await confirm(page, 'Import')
    }
    await importFile('{"pets":[{"id":1,"name":"Rex","categoryId":9}]}')
    await page.getByText('422 INVALID_STATE').waitFor()
    await importFile('{"pet":[]}')
    await page.getByText('400 INVALID_REQUEST').waitFor()
    await importFile('{')
    await page.getByText('chosen.json is not JSON').waitFor()
    const aliases = `a: &a [x]\nb: &b [${'*a,'.repeat(50)}]\nc: &c [${'*b,'.repeat(50)}]\nd: [*c]`
    for (const [content, problem] of [
      ['pets: !!js/function "x"', 'Invalid YAML at line 1, column 7: Unresolved tag'],
      [aliases, 'Invalid YAML: Excessive alias count'],
      [`pets: ${'['.repeat(20_000)}`, 'Nested too deeply'],
    ] as const) {
      await importFile(content, 'chosen.yaml')
      await page.getByText(`chosen.yaml: ${problem}`).waitFor()
    }
    expect(server.petstore.exportState()).toEqual(before)
    await importFile('{"categories":[{"id":4,"name":"Owls"}]}')
    await page.getByText('Imported chosen.json.').waitFor()
    expect(server.petstore.data.categories.all()).toEqual([{ id: 4, name: 'Owls' }])
  })
})

describe('the clock', () => {
  it('is set, frozen, advanced and unfrozen', async () => {
    const { open, server } = await startMock()
    const page = await open({ route: '/state' })
    const card = page.getByRole('region', { name: 'Clock' })
    const time = card.locator('time')
    await card.getByText('running').waitFor()
    await card.getByRole('button', { name: 'Freeze' }).click()
    await card.getByText('frozen').waitFor()
    const set = card.getByRole('button', { name: 'Set', exact: true })
    await card.getByLabel('Set to').fill('2027-01-29')
    await set.click()
    await expect.poll(() => time.innerText()).toBe('2027-01-29 00:00:00')
    await card.getByLabel('Time').fill('09:00:00')
    await set.click()
    await expect.poll(() => time.innerText()).toBe('2027-01-29 09:00:00')
    await card.getByText('to 2027-02-28 09:00').waitFor()
    await card.getByRole('button', { name: '+30 days: advance the clock' }).click()
    await expect.poll(() => time.innerText()).toBe('2027-02-28 09:00:00')
    await card.getByLabel('Advance by (ISO 8601)').fill('-P1DT2H')
    await card.getByRole('button', { name: 'Advance', exact: true }).click()
    await expect.poll(() => time.innerText()).toBe('2027-02-27 07:00:00')
    expect(server.petstore.clock.state()).toEqual({ now: '2027-02-27T07:00:00.000Z', frozen: true, sunset: 'announce' })
    await card.getByRole('button', { name: 'Unfreeze' }).click()
    await card.getByText('running').waitFor()
    await expect.poll(() => time.innerText()).not.toBe('2027-02-27 07:00:00')
  })

  it('rejects an invalid duration: the form its format, the mock the rest', async () => {
    const { open } = await startMock()
    const page = await open({ route: '/state' })
    const field = page.getByLabel('Advance by (ISO 8601)')
    const advance = page.getByRole('button', { name: 'Advance', exact: true })
    await field.fill('P1H')
    await advance.click()
    await expectProblem(field, 'enter an ISO 8601 duration such as P1DT2H')
    await field.fill('P9999Y')
    await advance.click()
    await expectProblem(field, 'the clock cannot leave the years 0000 to 9999.')
    expect(await field.inputValue()).toBe('P9999Y')
  })

  it('goes past the sunset date in one click', async () => {
    const { open, send, server } = await startMock({ sunset: 'enforce' })
    server.petstore.clock.freeze()
    const page = await open({ route: '/state' })
    expect((await send('GET', '/pets/1')).status).toBe(200)
    await page.getByText('the sunset date of getPet').waitFor()
    await page.getByRole('button', { name: 'Go past the sunset date' }).click()
    await expect.poll(() => page.locator('time').first().innerText()).toMatch(/^2030-12-05 00:00:0/)
    expect((await send('GET', '/pets/1')).status).toBe(410)
    await page.getByText('The clock is past 2030-12-05').waitFor()
  })
})
