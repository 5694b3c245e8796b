import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { shop } from '../support/client.js'
import { openTryIt, operationOf, useReference } from './reference.js'

const { startMock } = useReference()

interface MarkedOperation {
  readonly operationId: string
  readonly 'x-stability'?: string
  readonly 'x-deprecated-sunset'?: string
  readonly 'x-hideTryItPanel'?: boolean
}

async function readOperations(name: string): Promise<MarkedOperation[]> {
  const { paths } = parse(await readFile(new URL(`../../spec/${name}.yaml`, import.meta.url), 'utf8'))
  return Object.values<object>(paths).flatMap((methods) => Object.values(methods))
}

/** Opens all operations. Resolves with the number of “Try it out” buttons of each. */
async function openAll(page: Page): Promise<Record<string, number>> {
  const blocks = page.locator('.opblock')
  // At once: one click after another would render the page as often.
  await page.locator('.opblock-summary-control').evaluateAll((all) => {
    for (const summary of all) (summary as HTMLElement).click()
  })
  await expect.poll(() => blocks.filter({ has: page.locator('.responses-wrapper') }).count()).toBe(await blocks.count())
  const counts = await blocks.evaluateAll((all) =>
    all.map((block): [string, number] => [
      block.id.replace(/.*-/, ''),
      [...block.querySelectorAll('button')].filter(({ textContent }) => textContent?.trim() === 'Try it out').length,
    ]),
  )
  return Object.fromEntries(counts)
}

describe('the reference', () => {
  it('shows the tags, and badges for stability and deprecation', async () => {
    const page = await (await startMock()).open()
    const tags = page.getByRole('navigation', { name: 'Tags' }).getByRole('link')
    expect(await tags.allInnerTexts()).toEqual(['Pets', 'Store'])
    expect(await page.title()).toBe('Pet Store Service: API reference')
    expect(
      await page.locator('.opblock-tag').evaluateAll((headings) => headings.map((heading) => heading.dataset.tag)),
    ).toEqual(['Pets', 'Store'])
    const operations = await readOperations('openapi')
    const badges = await page
      .locator('.opblock')
      .evaluateAll((blocks) =>
        blocks.map((block) => [...block.querySelectorAll('.badge')].map((badge) => badge.textContent)),
      )
    expect(badges).toHaveLength(18)
    expect(badges.flat().filter((badge) => badge === 'experimental').length).toBeGreaterThan(2)
    expect(badges).toEqual(
      operations.map(({ 'x-stability': stability, 'x-deprecated-sunset': sunset }) => [
        ...(stability ? [stability] : []),
        ...(sunset ? ['deprecated, ends 5 December 2030'] : []),
      ]),
    )
    expect(await operationOf(page, 'getPet').innerText()).toContain('deprecated, ends 5 December 2030')
  })

  it('offers “Try it out” for every operation but listOrders', async () => {
    const page = await (await startMock()).open()
    const operations = await readOperations('openapi')
    expect(await openAll(page)).toEqual(
      Object.fromEntries(operations.map(({ operationId }) => [operationId, operationId === 'listOrders' ? 0 : 1])),
    )
  })

  it('hides “Try it out” where the document says so', async () => {
    const { open } = await startMock()
    const page = await open({
      prepare: (blank) =>
        blank.route('**/openapi.json', async (route) => {
          const response = await route.fetch()
          const document = await response.json()
          document.paths = { '/pets': document.paths['/pets'], '/store/orders': document.paths['/store/orders'] }
          delete document.paths['/store/orders'].get['x-hideTryItPanel']
          document.paths['/pets'].get['x-hideTryItPanel'] = true
          await route.fulfill({ response, json: document })
        }),
    })
    expect(await openAll(page)).toEqual({ listPets: 0, createPet: 1, listOrders: 1, createOrder: 1 })
  })

  it('opens the operation or tag in the address', async () => {
    const { open } = await startMock()
    const page = await open({ address: '/docs#getPet' })
    const getPet = operationOf(page, 'getPet')
    await getPet.getByRole('button', { name: 'Try it out' }).waitFor()
    await expect
      .poll(() => getPet.evaluate((element) => Math.round(element.getBoundingClientRect().top)))
      .toBeLessThan(200)
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0)
    await page.getByRole('navigation', { name: 'Tags' }).getByRole('link', { name: 'Store' }).click()
    const store = page.locator('#operations-tag-Store')
    await expect
      .poll(() => store.evaluate((element) => Math.round(element.getBoundingClientRect().top)))
      .toBeLessThan(200)
    await operationOf(page, 'createOrder').locator('.opblock-summary-control').click()
    await expect.poll(() => new URL(page.url()).hash).toBe('#createOrder')
  })

  it('opens the operation in the address even if it is rendered some frames later', async () => {
    const { open } = await startMock()
    const page = await open({ address: '/docs#getPet', prepare: (blank) => blank.addInitScript(findLater) })
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0)
  })

  it('appears before Swagger UI is loaded', async () => {
    const { open } = await startMock()
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const page = await open(
      {
        prepare: (blank) =>
          blank.route('**/swagger-ui.js', async (route) => {
            await released
            await route.continue()
          }),
      },
      'h1',
    )
    const tags = page.getByRole('navigation', { name: 'Tags' })
    await tags.getByRole('link', { name: 'Store' }).waitFor()
    await page.getByText('Loading the document').waitFor()
    expect(await page.locator('.opblock').count()).toBe(0)
    release()
    await page.locator('.opblock').first().waitFor()
    await expect.poll(() => page.getByText('Loading the document').count()).toBe(0)
  })
})

describe('trying an operation', () => {
  it('shows the first page of a list, with exact large ids', async () => {
    const id = 9223372036854775807n
    const { open } = await startMock({ fixtures: shop([{ id: id as never, name: 'Rex' }]) })
    const page = await open()
    const listPets = await openTryIt(page, 'listPets')
    await listPets.getByRole('button', { name: 'Execute' }).click()
    await expect.poll(() => listPets.locator('.live-responses-table').innerText()).toContain(`"id": ${id},\n`)
    const getPet = await openTryIt(page, 'getPet')
    await getPet.getByRole('textbox', { name: 'petId' }).fill(String(id))
    await getPet.getByRole('button', { name: 'Execute' }).click()
    await expect.poll(() => getPet.locator('.live-responses-table').innerText()).toContain('"name": "Rex"')
  })

  it('switches to another sandbox and back', async () => {
    const { open, server } = await startMock()
    server.petstore.sandboxes.open('worker-1')
    const page = await open({ address: '/docs#listPets' })
    const field = page.getByLabel('Sandbox')
    await field.focus()
    await expect.poll(() => page.locator('#sandboxes option').allTextContents()).toEqual(['worker-1'])
    await field.fill('worker-1')
    await page.getByRole('button', { name: 'Switch' }).click()
    await page.waitForURL(`${server.url}/sandbox/worker-1/docs#listPets`)
    await page.getByText(`${server.url}/sandbox/worker-1`, { exact: true }).waitFor()
    await page.getByLabel('Sandbox').fill('')
    await page.getByRole('button', { name: 'Switch' }).click()
    await page.waitForURL(`${server.url}/docs#listPets`)
  })
})

describe('the document of the admin API', () => {
  it('is shown in the same page, which links to the dashboard and the raw documents', async () => {
    const { open, server } = await startMock()
    const page = await open({ address: '/sandbox/a/docs' })
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
    const addresses = await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href))
    expect(addresses.map((address) => address.replace(`${server.url}/sandbox/a/`, ''))).toEqual([
      '__admin/',
      'openapi.yaml',
      'openapi.json',
      '__admin/openapi.yaml',
      '__admin/openapi.json',
    ])
    await page.getByLabel('Sandbox').focus()
    expect(server.petstore.sandboxes.list()).toEqual([])
    const listPets = await openTryIt(page, 'listPets')
    await listPets.getByRole('button', { name: 'Execute' }).click()
    await expect.poll(() => server.petstore.sandboxes.list()).toMatchObject([{ name: 'a', requests: 1 }])
    for (const address of addresses) expect((await fetch(address)).status, address).toBe(200)
    await page.getByRole('link', { name: 'Admin API', exact: true }).click()
    await operationOf(page, 'getHealth').waitFor()
    expect(page.url()).toBe(`${server.url}/sandbox/a/docs?document=admin`)
    expect(await page.locator('[aria-current=page]').innerText()).toBe('Admin API')
    const tags = page.getByRole('navigation', { name: 'Tags' }).getByRole('link')
    expect(await tags.allInnerTexts()).toEqual([
      'Mock',
      'State',
      'Journal',
      'Faults',
      'Overrides',
      'Data',
      'Clock',
      'Upstream',
      'Coverage',
      'Sandboxes',
    ])
    await expect.poll(() => page.locator('.opblock').count()).toBe((await readOperations('admin')).length)
  })

  it('requires the token, which is then sent with every request', async () => {
    const { open } = await startMock({ adminToken: 'sesame' })
    const page = await open({ address: '/docs?document=admin' }, 'input[type=password]')
    for (const token of ['wrong', 'sesame']) {
      await page.getByLabel('Admin API token').fill(token)
      await page.getByRole('button', { name: 'Open' }).click()
    }
    const getHealth = await openTryIt(page, 'getHealth')
    await getHealth.getByRole('button', { name: 'Execute' }).click()
    await expect.poll(() => getHealth.locator('.live-responses-table').innerText()).toContain('"status": "ok"')
  })
})

/** Runs in the page: the operation cannot be found at first. */
function findLater(): void {
  const { getElementById } = Document.prototype
  let missing = 5
  Document.prototype.getElementById = function (id) {
    return id.endsWith('-getPet') && missing-- > 0 ? null : getElementById.call(this, id)
  }
}
