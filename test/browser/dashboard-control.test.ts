import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { confirm, expectProblem, isFocused, requestRows, untilLive, useDashboards } from './dashboard.js'

const { startMock } = useDashboards()

const ruleForm = (page: Page) => page.getByRole('region', { name: 'Add a rule' })

describe('a fault rule', () => {
  it('is previewed, added, applied, counted and removed', async () => {
    const { open, send } = await startMock()
    const page = await open({ route: '/faults' })
    const other = await open({ route: '/faults', newProfile: true })
    await page.getByText('No fault rules').waitFor()
    const form = ruleForm(page)
    await form.getByLabel('Operation').selectOption('listPets')
    await form.getByLabel('Status').fill('502')
    await form.getByLabel('Times').fill('2')
    await form.getByText('More:').click()
    await form.getByLabel('Message').fill('the warehouse is closed')
    const preview = page.getByRole('region', { name: 'Rule as JSON' })
    await expect
      .poll(async () => JSON.parse(await preview.innerText()))
      .toEqual({
        operation: 'listPets',
        status: 502,
        message: 'the warehouse is closed',
        times: 2,
      })
    await page.getByRole('button', { name: 'Add rule' }).click()
    await other.getByText('matched 0 · applied 0').waitFor()
    const failed = await send('GET', '/pets')
    expect([failed.status, (await failed.json()).message]).toEqual([502, 'the warehouse is closed'])
    await send('GET', '/pets')
    expect((await send('GET', '/pets')).status).toBe(200)
    for (const each of [page, other]) await each.getByText('inactive').waitFor()
    await page.getByText('matched 3 · applied 2').waitFor()
    await page.getByRole('button', { name: 'Remove rule 1' }).click()
    await other.getByText('No fault rules').waitFor()
    await expect.poll(() => isFocused(page.getByRole('heading', { name: 'Fault rules', exact: true }))).toBe(true)
  })

  it('is checked by the form and by the mock', async () => {
    const { open } = await startMock()
    const page = await open({ route: '/faults' })
    const delay = page.getByLabel('Delay (ms)', { exact: true })
    const add = page.getByRole('button', { name: 'Add rule' })
    await page.getByLabel('Fault', { exact: true }).selectOption('slow')
    await add.click()
    await expectProblem(delay, 'Delay (ms): enter a number.')
    await delay.fill('30')
    const maximum = page.getByLabel('Maximum delay (ms)')
    await maximum.fill('20')
    await add.click()
    await expectProblem(maximum, 'Maximum delay (ms): enter 30 or more, because that is the delay.')
    await delay.fill('10')
    const form = ruleForm(page)
    await form.getByLabel('Operation').selectOption('listPets')
    await form.getByText('More:').click()
    await form.getByLabel('Method').selectOption('POST')
    await add.click()
    await expectProblem(form.getByLabel('Method'), 'Method: choose GET, the method of listPets.')
    await form.getByLabel('Method').selectOption('')
    await form.getByLabel('Path').fill('/store*')
    await add.click()
    await expectProblem(form.getByLabel('Path'), 'Path: no operation has this path')
    await form.getByText('422 INVALID_FAULT').waitFor()
    await form.getByLabel('Path').fill('')
    await add.click()
    await page.getByText('Responds slowly, in chunks, 10 to 20 ms, at most 1 time').waitFor()
    expect(await form.locator('.problem').count()).toBe(0)
  })

  it('is removed together with all others', async () => {
    const { open, server } = await startMock()
    server.petstore.faults.add({ operation: 'getPet', status: 500 })
    server.petstore.faults.add({ path: '/store*', kind: 'timeout' })
    const page = await open({ route: '/faults' })
    await page.getByText('2 active rules').waitFor()
    await page.getByRole('button', { name: 'Remove all rules' }).click()
    await confirm(page, 'Remove all')
    await page.getByText('No fault rules').waitFor()
    expect(server.petstore.faults.list()).toEqual([])
    await expect.poll(() => isFocused(page.getByRole('heading', { name: 'Fault rules', exact: true }))).toBe(true)
  })

  it('is disabled, enabled and moved', async () => {
    const { open, server, send } = await startMock()
    server.petstore.faults.add({ operation: 'getPet', status: 500 })
    server.petstore.faults.add({ operation: 'getPet', status: 503 })
    const page = await open({ route: '/faults' })
    const statusOf = async () => (await send('GET', '/pets/1')).status
    await page.getByRole('button', { name: 'Disable rule 1' }).click()
    await page.getByText('disabled').waitFor()
    expect(await statusOf()).toBe(503)
    await page.getByRole('button', { name: 'Enable rule 1' }).click()
    await page.getByText('2 active rules').waitFor()
    expect(await statusOf()).toBe(500)
    const moveUp = page.getByRole('button', { name: 'Move rule 2 up' })
    const moveDown = page.getByRole('button', { name: 'Move rule 2 down' })
    expect(await moveDown.isDisabled()).toBe(true)
    await moveUp.press('Enter')
    await page.getByText('Moved rule 2 to position 1.').waitFor()
    await expect.poll(() => moveUp.isDisabled()).toBe(true)
    expect(await statusOf()).toBe(503)
    await expect.poll(() => moveUp.evaluate((button) => button === document.activeElement)).toBe(true)
  })

  it('is edited: only changed fields are sent, and null for emptied ones', async () => {
    const { open, server, send } = await startMock()
    server.petstore.faults.add({ operation: 'listPets', status: 500, code: 'X', times: 5, probability: 1 })
    const page = await open({ route: '/faults' })
    await page.getByRole('button', { name: 'Edit rule 1' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit rule 1' })
    await expect.poll(() => dialog.getByLabel('Operation').inputValue()).toBe('listPets')
    await dialog.getByLabel('Status').fill('429')
    await dialog.getByLabel('Code').fill('')
    await dialog.getByLabel('Headers').fill('Retry-After: 7\nSet-Cookie: a=1\nSet-Cookie: b=2')
    await dialog.getByLabel('Match').fill('{"query":{"status":"sold"}}')
    const preview = dialog.getByRole('region', { name: 'Changes as JSON' })
    const changes = {
      match: { query: { status: 'sold' } },
      status: 429,
      code: null,
      headers: { 'Retry-After': '7', 'Set-Cookie': ['a=1', 'b=2'] },
    }
    await expect.poll(async () => JSON.parse(await preview.innerText())).toEqual(changes)
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.method() === 'PATCH'),
      dialog.getByRole('button', { name: 'Save' }).click(),
    ])
    expect(sent.postDataJSON()).toEqual(changes)
    await expect.poll(() => dialog.count()).toBe(0)
    await page.getByText('Returns 429, 2 headers, at most 5 times').waitFor()
    expect((await send('GET', '/pets')).status).toBe(200)
    const failed = await send('GET', '/pets?status=sold')
    expect([failed.status, failed.headers.get('retry-after')]).toEqual([429, '7'])
  })
})

describe('an override', () => {
  it('is added, applied, counted and removed', async () => {
    const { open, send } = await startMock()
    const page = await open({ route: '/faults' })
    const other = await open({ route: '/faults', newProfile: true })
    await page.getByText('No overrides').waitFor()
    const form = page.getByRole('region', { name: 'Add an override' })
    await form.getByLabel('Operation').selectOption('listPets')
    await form.getByLabel('Times').fill('1')
    await form.getByLabel('Body').fill('{"none":9223372036854775807}')
    await form.getByText('More:').click()
    await form.getByLabel('Match').fill('{"query":{"status":"sold"}}')
    await form.getByLabel('Headers').fill('X-Note: mine')
    await form.getByRole('button', { name: 'Add override' }).click()
    await expectProblem(form.getByLabel('Body'), 'Body (JSON): the contract does not allow this.')
    await form.getByText('422 INVALID_OVERRIDE').waitFor()
    await form.getByLabel('Status').fill('201')
    await form.getByRole('button', { name: 'Add override' }).click()
    await expectProblem(form.getByLabel('Status'), 'Status: listPets returns 200, or an error.')
    await form.getByLabel('Status').fill('200')
    await form.getByLabel('Accept a response outside the contract').check()
    await form.getByRole('button', { name: 'Add override' }).click()
    await other.getByText('Override 1 · applied 0').waitFor()
    await page.getByText('Response', { exact: true }).click()
    await page.getByLabel('Response of override 1').getByText('9223372036854775807').waitFor()
    expect(await (await send('GET', '/pets')).text()).not.toContain('none')
    const response = await send('GET', '/pets?status=sold')
    expect([response.status, response.headers.get('x-note'), await response.text()]).toEqual([
      200,
      'mine',
      '{"none":9223372036854775807}',
    ])
    for (const each of [page, other]) await each.getByText('Override 1 · applied 1').waitFor()
    await page.getByText('used up').waitFor()
    await page.getByRole('button', { name: 'Remove override 1' }).click()
    await other.getByText('No overrides').waitFor()
    await expect.poll(() => isFocused(page.getByRole('heading', { name: 'Overrides', exact: true }))).toBe(true)
  })

  it('is edited: a new one with the same fields replaces it', async () => {
    const { open, send, server } = await startMock()
    const given = { status: 404, headers: { 'X-Note': 'a' }, body: { code: 'GONE', message: 'Gone.', status: 404 } }
    await send('POST', '/__admin/overrides', { operation: 'getPet', ...given, match: { headers: { 'x-run': '1' } } })
    const page = await open({ route: '/faults' })
    await page.getByRole('button', { name: 'Edit override 1' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit override 1' })
    await dialog.getByLabel('Times').fill('2')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Replaced override 1 with a new one.').waitFor()
    expect(server.petstore.overrides.list()).toEqual([
      expect.objectContaining({ id: 2, operation: 'getPet', ...given, match: { headers: { 'x-run': '1' } }, times: 2 }),
    ])
  })

  it('that a function makes is listed, and removed together with all others', async () => {
    const { open, server } = await startMock()
    server.petstore.override('getPet', ({ next }) => next())
    server.petstore.override('listPets', { status: 200, body: [] })
    const page = await open({ route: '/faults' })
    await page.getByText('2 active overrides').waitFor()
    const list = page.getByRole('region', { name: 'Overrides', exact: true }).getByRole('listitem')
    expect(await list.allInnerTexts()).toEqual([
      expect.stringMatching(/^listPets active\s+Status 200/),
      expect.stringMatching(/^getPet active\s+Made by a function in a test/),
    ])
    await page.getByRole('button', { name: 'Remove all overrides' }).click()
    await confirm(page, 'Remove all')
    await page.getByText('No overrides').waitFor()
    expect(server.petstore.overrides.list()).toEqual([])
  })
})

describe('the coverage', () => {
  it('shows operations and statuses, and grows with every request', async () => {
    const { open, send } = await startMock()
    const page = await open({ route: '/coverage' })
    await page.getByText('0 of 18 operations').waitFor()
    const row = page.getByRole('row', { name: /^getPet/ })
    expect(await row.innerText()).toContain('deprecated, ends 5 December 2030')
    expect(await page.getByRole('row', { name: /^updatePet/ }).innerText()).toContain('experimental')
    expect(await page.getByRole('row', { name: /^listPets/ }).innerText()).toContain('beta')
    await send('GET', '/pets/1')
    await send('GET', '/pets/999')
    await send('GET', '/pets/1', undefined, { prefer: 'code=503' })
    await page.getByText('1 of 18 operations, 2 of').waitFor()
    expect(await row.locator('.covered').allInnerTexts()).toEqual(['1', '1'])
    // The page may read the coverage between two requests.
    await expect.poll(() => row.locator('.undeclared').allInnerTexts()).toEqual(['1'])
    await row.getByRole('link', { name: 'getPet' }).click()
    await expect.poll(() => requestRows(page).count()).toBe(3)
    await expect.poll(() => page.getByLabel('Operation').inputValue()).toBe('getPet')
  })
})

describe('a sandbox', () => {
  it('is created by opening its name, and deleted', async () => {
    const { open, server, send } = await startMock()
    const page = await open({ route: '/sandboxes' })
    await page.getByText('No sandboxes yet').waitFor()
    const name = page.getByRole('textbox', { name: 'Name' })
    await name.fill('a/b')
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await expectProblem(name, 'Name: use 1 to 64 letters')
    await name.fill('mine')
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.waitForURL(`${server.url}/sandbox/mine/__admin/#/requests`)
    await page.getByText('sandbox mine').first().waitFor()
    await untilLive(page)
    await send('GET', '/pets/1')
    await send('GET', '/sandbox/mine/pets/2')
    await expect.poll(() => page.locator('.path').allInnerTexts()).toEqual(['/pets/2'])
    await page.getByRole('link', { name: 'Sandboxes' }).click()
    server.petstore.sandboxes.open('other')
    await page.getByRole('button', { name: 'Delete other' }).click()
    await confirm(page, 'Delete')
    await expect.poll(() => isFocused(page.getByRole('heading', { name: 'Sandboxes', level: 2 }))).toBe(true)
    await page.getByRole('button', { name: 'Delete mine' }).click()
    await confirm(page, 'Delete')
    await page.waitForURL(`${server.url}/__admin/#/requests`)
    await untilLive(page)
    expect(server.petstore.sandboxes.list()).toEqual([])
  })

  it('is not created by looking, and followed after it was deleted and created again', async () => {
    const { open, server, send } = await startMock()
    const page = await open({ prefix: '/sandbox/mine' })
    const missing = page.getByRole('heading', { name: 'There is no sandbox mine' })
    await missing.waitFor()
    expect(server.petstore.sandboxes.list()).toEqual([])
    await page.getByRole('button', { name: 'Create it now' }).click()
    await untilLive(page)
    await send('GET', '/sandbox/mine/pets/1')
    await expect.poll(() => page.locator('.path').allInnerTexts()).toEqual(['/pets/1'])
    server.petstore.sandboxes.delete('mine')
    await missing.waitFor()
    expect(server.petstore.sandboxes.list()).toEqual([])
    await send('GET', '/sandbox/mine/pets/2')
    await expect.poll(() => page.locator('.path').allInnerTexts()).toEqual(['/pets/2'])
  })

  it('is chosen in the switcher, which also shows the requests of all of them', async () => {
    const { open, server, send } = await startMock()
    await send('GET', '/pets/1')
    for (const name of ['a', 'b']) await send('GET', `/sandbox/${name}/pets/9`)
    const before = JSON.stringify(server.petstore.sandboxes.list())
    const page = await open()
    const switcher = page.getByLabel('Sandbox')
    await switcher.selectOption('All sandboxes (requests)')
    const sandboxes = requestRows(page).locator('.sandbox')
    await expect.poll(async () => (await sandboxes.allInnerTexts()).sort()).toEqual(['Main', 'a', 'b'])
    await requestRows(page).filter({ hasText: 'b' }).locator('.path').click()
    await page.getByRole('heading', { name: 'Request 1 of sandbox b' }).waitFor()
    await page.getByRole('region', { name: 'Request b:1' }).getByRole('link', { name: 'getPet' }).click()
    await expect.poll(() => new URL(page.url()).hash).toBe('#/requests?sandboxes=all&operation=getPet')
    expect(JSON.stringify(server.petstore.sandboxes.list())).toBe(before)
    await switcher.selectOption('b')
    await page.waitForURL(`${server.url}/sandbox/b/__admin/#/requests?operation=getPet`)
    await expect.poll(() => page.locator('.path').allInnerTexts()).toEqual(['/pets/9'])
    await page.getByRole('link', { name: 'Coverage' }).click()
    await switcher.selectOption('Main')
    await page.waitForURL(`${server.url}/__admin/#/coverage`)
    expect(JSON.stringify(server.petstore.sandboxes.list())).toBe(before)
  })
})

describe('what is in effect', () => {
  it('is shown on every tab, and reset from there', async () => {
    const { open, server } = await startMock()
    server.petstore.faults.add({ operation: 'listPets', status: 503 })
    server.petstore.faults.add({ operation: 'getPet', status: 503, expiresAfterMs: 60_000 })
    server.petstore.override('getPet', { status: 500 })
    server.petstore.clock.freeze()
    const first = await open({ route: '/faults' })
    for (const text of ['Faults: 2', '2 active rules']) await first.getByText(text).waitFor()
    server.petstore.clock.set('2030-12-06T00:00:00Z')
    for (const text of ['Faults: 1', '1 active rule']) await first.getByText(text, { exact: true }).waitFor()
    for (const route of ['/data/pets', '/coverage', '/sandboxes']) {
      const page = await open({ route })
      const strip = page.getByRole('region', { name: 'In effect' })
      for (const text of ['Faults: 1', 'Overrides: 1', 'clock frozen', '2030-12-06 00:00:00 UTC']) {
        await strip.getByText(text).waitFor()
      }
    }
    const page = await open({ route: '/data/pets' })
    const strip = page.getByRole('region', { name: 'In effect' })
    await strip.getByRole('button', { name: 'Reset the mock' }).click()
    await confirm(page, 'Reset')
    for (const text of ['Faults: 0', 'Overrides: 0']) await strip.getByText(text).waitFor()
    await expect.poll(() => strip.getByText('clock').count()).toBe(0)
  })
})
