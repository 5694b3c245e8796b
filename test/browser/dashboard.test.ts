import { describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/adapters/server/index.js'
import type { RecordedExchange } from '../../src/index.js'
import { toSnippet } from '../../src/tools/snippets/index.js'
import { library } from '../support/library.js'
import { download, expectProblem, requestRows, untilLive, useDashboards } from './dashboard.js'

const { openAt, startMock } = useDashboards()

describe('the list of requests', () => {
  it('is filtered by text, operation, status and method, and the filters are in the address', async () => {
    const { open, send } = await startMock({ journalSize: 5 })
    for (const path of ['/evicted', '/pets/1', '/pets/999', '/categories', '/nowhere']) await send('GET', path)
    await send('DELETE', '/categories/1')
    const page = await open()
    const rows = requestRows(page)
    const paths = () => rows.locator('.path').allInnerTexts()
    await expect.poll(() => rows.count()).toBe(5)
    await page.getByText('6 requests · the newest 5 are listed').waitFor()
    await rows
      .first()
      .locator('.status')
      .click({ modifiers: ['Control'] })
    expect(await page.evaluate(() => location.hash)).toBe('#/requests')
    await page.getByLabel('Search').fill('PETS')
    await expect.poll(paths).toEqual(['/pets/999', '/pets/1'])
    await page.getByLabel('Status').selectOption('4xx')
    await expect.poll(paths).toEqual(['/pets/999'])
    await page.getByLabel('Search').fill('')
    await expect.poll(paths).toEqual(['/categories/1', '/nowhere', '/pets/999'])
    await page.getByLabel('Method').selectOption('DELETE')
    await expect.poll(paths).toEqual(['/categories/1'])
    await page.reload()
    await expect.poll(paths).toEqual(['/categories/1'])
    await page.getByLabel('Operation').selectOption('getPet')
    await page.getByText('No matching requests').waitFor()
    await page.getByText('The filters search the newest 5 of 6 requests.').waitFor()
  })

  it('shows a request whose response is delayed, and the override that answered it', async () => {
    const { open, send, server } = await startMock()
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    server.petstore.override('getPet', async ({ next }) => {
      await released
      return next()
    })
    const page = await open()
    await untilLive(page)
    const response = send('GET', '/pets/1')
    const row = requestRows(page).first()
    await row.getByText('pending').waitFor()
    await row.locator('.path').click()
    await page.getByText('The response is delayed.').waitFor()
    release()
    await response
    await row.getByText('200').waitFor()
    expect(await row.innerText()).toMatch(/200\s+GET\s+\/pets\/1\s*override 1/)
    const detail = page.getByRole('region', { name: 'Request 1' })
    await detail.getByText('200').first().waitFor()
    await detail.getByRole('link', { name: 'override 1' }).click()
    await page.getByText('Override 1 · applied 1').waitFor()
  })

  it('counts new requests while it is paused', async () => {
    const { open, send, server } = await startMock()
    await send('GET', '/pets/1')
    const page = await open()
    const rows = requestRows(page)
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByRole('button', { name: 'Pause' }).click()
    await send('GET', '/pets/2')
    await send('GET', '/pets/3')
    await page.getByText('paused, 2 new').waitFor()
    expect(await rows.count()).toBe(1)
    await page.getByRole('link', { name: 'State', exact: true }).click()
    await page.getByRole('link', { name: 'Requests', exact: true }).click()
    await page.getByText('paused, 2 new').waitFor()
    expect(await rows.count()).toBe(1)
    server.petstore.reset()
    await send('GET', '/pets/4')
    await page.getByText('paused, 1 new').waitFor()
    await rows.last().locator('.path').click()
    await page.getByText('The mock no longer has this request.').waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await expect.poll(() => rows.locator('.path').allInnerTexts()).toEqual(['/pets/4'])
  })

  it('is cleared in every browser', async () => {
    const { open, send } = await startMock()
    await send('GET', '/pets/1')
    await send('GET', '/pets/2')
    const page = await open()
    const other = await open({ newProfile: true })
    const rows = requestRows(page)
    await expect.poll(() => rows.count()).toBe(2)
    await expect.poll(() => requestRows(other).count()).toBe(2)
    for (const each of [page, other]) {
      await each.getByRole('link', { name: '/pets/1' }).click()
      await each.getByRole('heading', { name: 'Request 1' }).waitFor()
    }
    await page.getByRole('button', { name: 'Clear' }).click()
    for (const each of [page, other]) await each.getByText('No requests yet').waitFor()
    await expect.poll(() => page.getByRole('heading', { name: 'Request 1' }).count()).toBe(0)
    await send('GET', '/pets/3')
    for (const each of [page, other]) {
      await expect.poll(() => requestRows(each).locator('.path').allInnerTexts()).toEqual(['/pets/3'])
    }
  })

  it('starts in the upper half of a narrow window, with its filters folded', async () => {
    const { open, send } = await startMock()
    await send('GET', '/pets/17')
    const page = await open()
    await page.setViewportSize({ width: 390, height: 844 })
    const request = page.getByRole('link', { name: '/pets/17' })
    await expect.poll(async () => (await request.boundingBox())?.y).toBeLessThan(844 / 2)
    expect(await page.getByLabel('Operation').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Filters and more' }).click()
    await page.getByLabel('Operation').selectOption('listPets')
    await expect.poll(() => request.count()).toBe(0)
  })

  it('is saved as HAR', async () => {
    const { open, send } = await startMock()
    await send('GET', '/pets/1')
    const page = await open()
    await untilLive(page)
    const file = await download(page, 'Save as HAR')
    expect(file.name).toBe('petstore-mock.har')
    expect(JSON.parse(file.content).log.entries).toHaveLength(1)
  })

  it('is saved as a reproduction of the chosen sandbox', async () => {
    const { open, send } = await startMock()
    await send('GET', '/pets/2')
    await send('GET', '/sandbox/checkout/pets/1')
    const page = await open({ prefix: '/sandbox/checkout' })
    await untilLive(page)
    const file = await download(page, 'Save reproduction')
    expect(file.name).toMatch(/^checkout-[\dT-]+\.petstore\.json$/)
    expect(JSON.parse(file.content)).toMatchObject({
      sandbox: 'checkout',
      steps: [{ id: 1, request: { path: '/pets/1' } }],
    })
  })
})

// Every test that copies something is in this file: all pages of the browser share its clipboard.
describe('a request', () => {
  it('is shown with exact large integers, and closed with the back button', async () => {
    const { open, send } = await startMock({ scenario: 'big-ids' })
    await send('GET', '/pets/9223372036854775807')
    const page = await open()
    await page.getByRole('link', { name: '/pets/9223372036854775807' }).click()
    const detail = page.getByRole('region', { name: 'Request 1' })
    await expect.poll(() => detail.getByLabel('Response body').innerText()).toContain('"id": 9223372036854775807')
    expect(await detail.innerText()).toContain('x-petstore-mock')
    expect(new URL(page.url()).hash).toBe('#/requests/1')
    await page.goBack()
    await expect.poll(() => detail.count()).toBe(0)
    await page.goForward()
    await detail.waitFor()
    await detail.getByRole('link', { name: 'Close' }).click()
    await expect.poll(() => detail.count()).toBe(0)
    const link = page.getByRole('link', { name: '/pets/9223372036854775807' })
    await expect.poll(() => link.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('is copied as curl and as fetch', async () => {
    const { open, send, server } = await startMock()
    await send('POST', '/pets?note=it%27s', { name: "O'Hara $(id)", categoryId: 1 }, { authorization: 'Bearer secret' })
    const page = await open({ route: '/requests/1' })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url })
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    // Waits from before the click, because the notice disappears after a while.
    const copyAs = (name: string) =>
      Promise.all([
        page.getByText(`Copied the request as ${name}.`).waitFor(),
        page.getByRole('button', { name }).click(),
      ])
    await page.getByLabel('Search').press('Escape')
    await page.getByText('Copy as…').click()
    await page.getByLabel('Up to request').press('Escape')
    await expect.poll(() => page.getByLabel('Up to request').isVisible()).toBe(false)
    await page.getByText('Copy as…').press('Enter')
    await copyAs('curl')
    const curl = await copied()
    expect(curl).toContain(`curl -X POST --globoff --path-as-is '${server.url}/pets?note=it%27s'`)
    expect(curl).toContain(`--data-raw '{"name":"O'\\''Hara $(id)","categoryId":1}'`)
    expect(curl).toContain('# The header authorization is a secret.')
    await copyAs('fetch')
    expect(await copied()).toContain(`await fetch('${server.url}/pets?note=it%27s', {\n  method: 'POST'`)
    // As on plain HTTP, other than on localhost.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await copyAs('override')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('override')
  })

  it('is copied with later ones as a test, with what came before', async () => {
    const { open, send, server } = await startMock()
    await send('GET', '/pets/1')
    server.petstore.faults.add({ operation: 'getPet', status: 503, times: 1 })
    for (const path of ['/pets/2', '/pets/3', '/pets/4']) await send('GET', path)
    const page = await open({ route: '/requests/2' })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url })
    await page.getByText('Copy as…').click()
    await page.getByLabel('Up to request').fill('3')
    await page.getByRole('button', { name: 'vitest' }).click()
    await page.getByText('Copied requests 2 to 3 as vitest.').waitFor()
    const code = await page.evaluate(() => navigator.clipboard.readText())
    expect(code).toContain(`test('2 requests, from GET /pets/2 to GET /pets/3', `)
    expect(code).toContain(`petstore.faults.add({ operation: 'getPet', status: 503, times: 1 })`)
    expect(code.match(/(?<=petstore\.fetch\(')[^']*/g)).toEqual(['/pets/2', '/pets/3'])
    await page.getByRole('button', { name: 'override' }).click()
    await page.getByText('Copied requests 2 to 3 as override.').waitFor()
  })

  it('to another service is copied as code for that service', async () => {
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
      expect(code).toContain(
        kind === 'vitest'
          ? `createTest({ mock: { document: './openapi.yaml', ...options } })`
          : `mock.override('getBook', `,
      )
    }
  })

  it('that violates the contract is shown with all violations', async () => {
    const { open, send } = await startMock()
    await send('GET', '/pets?limit=0&offset=-1')
    const page = await open()
    await page.getByText('contract violations: 2').waitFor()
    await page.getByRole('link', { name: '/pets?limit=0' }).click()
    const shown = page.getByRole('region', { name: 'Request 1' }).locator('.error')
    await expect
      .poll(() => shown.allInnerTexts())
      .toEqual([expect.stringContaining('limit'), expect.stringContaining('offset')])
  })
})

describe('a failed request', () => {
  it('is found, made to fail again, always answered, and undone, by keyboard alone', async () => {
    const { open, send, server } = await startMock()
    await send('GET', '/pets/1')
    await send('GET', '/pets/999')
    server.petstore.faults.add({ operation: 'getPet', status: 429, times: 1 })
    const page = await open()
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    const tabTo = async (name: string | RegExp, role: 'button' | 'link' = 'button') => {
      const target = page.getByRole(role, { name, exact: true })
      for (let tabs = 0; tabs < 60; tabs += 1) {
        if (await target.evaluate((element) => element === document.activeElement)) return
        await press('Tab')
      }
      expect.fail(`${name} is not reached by keyboard.`)
    }
    await requestRows(page).first().waitFor()
    await tabTo('/pets/999', 'link')
    await press('ArrowDown', 'ArrowUp', 'Enter')
    await page.getByRole('heading', { name: 'Request 2' }).waitFor()

    await tabTo('Make this fail')
    await press('Enter')
    await page.getByText('The next getPet will return 503.').waitFor()
    expect((await send('GET', '/pets/1')).status).toBe(503)
    expect((await send('GET', '/pets/1')).status).toBe(429)

    await page.getByRole('heading', { name: 'Request 2' }).focus()
    await tabTo('Always answer this')
    await press('Enter')
    await page.getByText('Every getPet now gets this response.').waitFor()
    const answered = await send('GET', '/pets/1')
    expect([answered.status, await answered.json()]).toEqual([404, expect.objectContaining({ code: 'PET_NOT_FOUND' })])

    await page.getByRole('heading', { name: 'Request 2' }).focus()
    await tabTo('Undo: answer normally')
    await press('Enter')
    await page.getByText('Removed the override.').waitFor()
    expect((await send('GET', '/pets/1')).status).toBe(200)
    await press('Escape')
    await expect.poll(() => page.getByRole('heading', { name: 'Request 2' }).count()).toBe(0)
    // With the next frame.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('/pets/999')
  })

  it('is sent again with its headers and body', async () => {
    const { open, send, server } = await startMock()
    const { journal, reproduction } = server.petstore
    await send('POST', '/pets?name=%zz', { name: 5 }, { 'x-note': 'a', authorization: 'Bearer secret' })
    await fetch(`${server.url}/pets`, { method: 'POST', body: Uint8Array.of(255, 0) })
    await send('POST', '/pets', { name: 'x'.repeat(70_000) })
    const page = await open({ route: '/requests/1' })
    const sendAgain = page.getByRole('button', { name: 'Send again' })
    const choose = async (id: number) => {
      await page.goto(`${server.url}/__admin/#/requests/${id}`)
      await page.getByRole('heading', { name: `Request ${id}` }).waitFor()
    }
    await sendAgain.click()
    await page.getByText('Sent it again, without the secret authorization. Status: 400.').waitFor()
    await choose(2)
    await sendAgain.click()
    await page.getByText('Sent it again. Status: 415.').waitFor()
    const [first, second, , fourth, fifth] = reproduction().steps as RecordedExchange[]
    expect(fourth?.request).toMatchObject({ method: 'POST', path: '/pets', query: 'name=%zz', body: '{"name":5}' })
    expect(fourth?.request.headers['x-note']).toBe('a')
    expect(first?.request.body).toBe(fourth?.request.body)
    expect(fifth?.request).toMatchObject({ body: second?.request.body, isBase64: true })
    expect(fifth?.request.headers['content-type']).toBe(undefined)
    await choose(3)
    await sendAgain.click()
    await page.getByText('Not sent, because its body was too long to record.').waitFor()
    expect(journal.total).toBe(5)
  })

  it('is always answered as it was, until that is undone here or elsewhere', async () => {
    const { open, send, server } = await startMock()
    const { override, overrides, faults } = server.petstore
    override(
      'getPet',
      { status: 299, headers: { 'set-cookie': 'a=1' }, body: { odd: 1 } },
      { unchecked: true, times: 1 },
    )
    await send('GET', '/pets/1')
    await send('HEAD', '/pets/1')
    faults.add({ operation: 'getPet', kind: 'malformed', times: 1 })
    const malformed = await (await send('GET', '/pets/1')).text()
    const page = await open()
    const always = page.getByRole('button', { name: 'Always answer this' })
    const undo = page.getByRole('button', { name: 'Undo: answer normally' })
    const answered = [
      [1, ', without the secret set-cookie', [299, 'application/json', '{"odd":1}']],
      [2, '', [200, null, '']],
      [3, '', [200, 'application/json', malformed]],
    ] as const
    for (const [id, without, expected] of answered) {
      overrides.clear()
      await page.goto(`${server.url}/__admin/#/requests/${id}`)
      await page.getByRole('heading', { name: `Request ${id}` }).waitFor()
      await always.click()
      await page.getByText(`Every getPet now gets this response${without}.`).waitFor()
      await undo.waitFor()
      const response = await send('GET', '/pets/2')
      expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual(expected)
    }
    await page.getByRole('link', { name: 'Close' }).click()
    await expect.poll(() => undo.count()).toBe(0)
    await page.goto(`${server.url}/__admin/#/requests/3`)
    await undo.click()
    await page.getByText('Removed the override.').waitFor()
    expect(overrides.list()).toEqual([])
    await always.click()
    await undo.waitFor()
    overrides.clear()
    await always.waitFor()
  })
})

describe('the connection', () => {
  it('is restored after the server restarts, and the page catches up', async () => {
    const { open, send, server } = await startMock()
    await send('GET', '/pets/1')
    const page = await open({ expects: /net::ERR_|Failed to fetch/, prepare: (blank) => blank.clock.install() })
    await expect.poll(() => requestRows(page).count()).toBe(1)
    await server.close()
    await page.getByText('Disconnected, reconnecting…').waitFor()
    await page.getByText('The mock is not responding').waitFor()
    for (let read = 1; read <= 2; read += 1) {
      const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/clock'))
      await page.clock.fastForward(120_000)
      await failed
    }
    expect(await page.getByText('clock changed').count()).toBe(0)
    const again = await startMock({ port: server.port })
    await again.send('GET', '/pets/2')
    await again.send('GET', '/pets/3')
    await untilLive(page)
    await expect.poll(() => requestRows(page).locator('.path').allInnerTexts()).toEqual(['/pets/3', '/pets/2'])
    await again.send('GET', '/pets/4')
    await expect.poll(() => requestRows(page).count()).toBe(3)
  })
})

describe('a hidden page', () => {
  it('closes its connection after a while, and catches up when it is visible again', async () => {
    const { open, send } = await startMock()
    const setHidden = (hidden: boolean) => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }
    const page = await open({
      async prepare(blank) {
        await blank.clock.install()
        // As in a tab opened in the background.
        await blank.addInitScript(setHidden, true)
      },
    })
    const ended: string[] = []
    page.on('requestfailed', (request) => ended.push(new URL(request.url()).pathname))
    for (const count of [1, 2]) {
      await untilLive(page)
      // Paused, so that it is not closed later because nothing was received for a while.
      await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 21_000)
      await expect.poll(() => ended).toEqual(Array(count).fill('/__admin/events'))
      await page.clock.resume()
      await send('GET', '/pets/1')
      await page.evaluate(setHidden, false)
      await untilLive(page)
      await expect.poll(() => requestRows(page).count()).toBe(count)
      await page.evaluate(setHidden, true)
    }
  })
})

describe('a panel', () => {
  const PANELS = [
    '/requests',
    '/requests/1',
    '/data/pets',
    '/data/pets/1',
    '/state',
    '/faults',
    '/coverage',
    '/sandboxes',
  ]

  it('says that it is loading, or why it cannot show anything', async () => {
    const { open, server } = await startMock()
    const error = { code: 'INTERNAL_ERROR', message: 'the disk is full', status: 500 }
    let isHeld = true
    const page = await open({
      prepare: (blank) =>
        blank.route(/__admin\/[a-z]+(?<!events|assets)(?:[/?]|$)/, async (route) => {
          if (!isHeld) await route.fulfill({ status: 500, json: error })
        }),
    })
    for (const [index, path] of [...PANELS, ...PANELS].entries()) {
      isHeld = index < PANELS.length
      await page.goto(`${server.url}/__admin/?${index}#${path}`)
      const expected = isHeld ? 'Loading…' : 'the disk is full'
      await page.locator('main').getByText(expected).first().waitFor()
    }
  })
})

describe('the token', () => {
  it('is requested, stored in the tab and never in the address', async () => {
    const { open, send } = await startMock({ adminToken: 'sesame' })
    await send('GET', '/pets/1')
    const page = await open()
    await page.getByLabel('Token').fill('wrong')
    await page.getByRole('button', { name: 'Open dashboard' }).click()
    await expectProblem(page.getByLabel('Token'), 'Token: this is not the token of the mock.')
    await page.getByLabel('Token').fill('sesame')
    await page.getByRole('button', { name: 'Open dashboard' }).click()
    await expect.poll(() => requestRows(page).count()).toBe(1)
    expect(page.url()).not.toContain('sesame')
    await page.reload()
    await expect.poll(() => requestRows(page).count()).toBe(1)
  })

  it('is read from the address and removed from it', async () => {
    const { open, server } = await startMock({ adminToken: 'sesame' })
    const page = await open({ route: '' })
    await page.goto('about:blank')
    await page.goto(`${server.url}/__admin/#token=sesame`)
    await untilLive(page)
    expect(page.url()).toBe(`${server.url}/__admin/#/`)
    await page.goto('about:blank')
    await page.goto(`${server.url}/__admin/#token=%`)
    await page.getByText('Token: this is not the token of the mock.').waitFor()
  })
})

describe('the welcome', () => {
  it('is shown until it is closed, and opened again on demand', async () => {
    const { open, server, send } = await startMock()
    const page = await open({ firstVisit: true, route: '' })
    const welcome = page.getByRole('region', { name: 'Welcome' })
    expect(await welcome.innerText()).toContain(server.url)
    expect(await welcome.getByRole('listitem').count()).toBe(3)
    await welcome.getByRole('button', { name: 'Send it from here' }).click()
    await expect.poll(() => requestRows(page).locator('.path').allInnerTexts()).toEqual(['/pets?limit=3'])
    await welcome.getByRole('button', { name: 'Fail the next GET /pets' }).click()
    await page.getByText('The next GET /pets will return 503.').waitFor()
    expect((await send('GET', '/pets')).status).toBe(503)
    await welcome.getByRole('button', { name: 'Got it' }).click()
    await page.reload()
    await untilLive(page)
    expect(await welcome.count()).toBe(0)
    await page.getByRole('button', { name: 'What is this?' }).click()
    await welcome.waitFor()
  })
})
