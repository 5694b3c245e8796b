import { expect, it } from 'vitest'
import { useAdapterSites } from './adapter-site.js'
import { download } from './dashboard.js'

const { openSite } = useAdapterSites()

it('opens in an application’s page and shows the requests that the worker handles', async () => {
  const { page, panel, fetch } = await openPanel()
  await fetch('/api/pets/17')
  await panel.getByText('/pets/17').first().waitFor()
  // The application's own styles and address do not change.
  expect(await page.evaluate(() => [location.hash, document.adoptedStyleSheets.length])).toEqual(['', 0])
})

it('imports a YAML file', async () => {
  const { page, panel, fetch } = await openPanel()
  await panel.getByRole('navigation').getByRole('button', { name: 'State' }).click()
  const buffer = Buffer.from('categories:\n  - { id: 4, name: Owls }\n')
  await panel.getByLabel('Import a fixture file').setInputFiles({ name: 'shop.yaml', mimeType: 'text/yaml', buffer })
  await panel.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
  await page.getByText('Imported shop.yaml.').waitFor()
  expect(JSON.parse((await fetch('/api/categories')).text)).toEqual([{ id: 4, name: 'Owls' }])
})

it('closes with its button or with stop(), and opens again', async () => {
  const { page, panel } = await openPanel()
  const open = () => page.evaluate(() => window.page.get('petstore').openDashboard())
  await Promise.all([open(), open()])
  expect(await panel.count()).toBe(1)
  await panel.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => panel.count()).toBe(0)
  await open()
  await panel.waitFor()
  await page.evaluate(() => window.page.get('petstore').stop())
  await expect.poll(() => panel.count()).toBe(0)
})

async function openPanel() {
  const opened = await (await openSite()).openPage()
  expect(await opened.start({ baseUrl: '/api' })).toBe('')
  await opened.page.evaluate(() => window.page.get('petstore').openDashboard())
  const panel = opened.page.getByRole('region', { name: 'petstore-mock dashboard' })
  await panel.waitFor()
  return { ...opened, panel }
}

it('closes with Esc, but not while that closes a dialog, and not from elsewhere in the page', async () => {
  const { page, panel } = await openPanel()
  await panel.getByRole('navigation').getByRole('button', { name: 'State' }).click()
  await panel.getByRole('button', { name: 'Reset', exact: true }).click()
  await panel.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => panel.getByRole('dialog').count()).toBe(0)
  expect(await panel.count()).toBe(1)
  await page.evaluate(() => {
    window.addEventListener('keydown', ({ key }) => document.body.setAttribute('data-key', key), { once: true })
    ;(document.querySelector('petstore-mock-dashboard') as HTMLElement).blur()
  })
  await page.keyboard.press('Escape')
  expect(await page.locator('body').getAttribute('data-key')).toBe('Escape')
  expect(await panel.count()).toBe(1)
  await page.evaluate(() => window.page.get('petstore').openDashboard())
  await page.keyboard.press('Escape')
  await expect.poll(() => panel.count()).toBe(0)
})

it('switches to a sandbox and back, without changing the address', async () => {
  const { page, panel, fetch } = await openPanel()
  const address = page.url()
  const paths = () => panel.locator('.path').allInnerTexts()
  await panel.getByRole('navigation').getByRole('button', { name: 'Sandboxes' }).click()
  await panel.getByRole('textbox', { name: 'Name' }).fill('mine')
  await panel.getByRole('button', { name: 'Open', exact: true }).click()
  await panel.getByText('sandbox mine').first().waitFor()
  await fetch('/api/sandbox/mine/pets/2')
  await expect.poll(paths).toEqual(['/pets/2'])
  await fetch('/api/pets/1')
  await panel.getByLabel('Sandbox').selectOption('Main')
  await expect.poll(paths).toEqual(['/pets/1'])
  expect(page.url()).toBe(address)
})

it('keeps what is typed into it from the shortcuts of the page', async () => {
  const { page, panel } = await openPanel()
  await page.evaluate(() => {
    document.addEventListener('keydown', ({ key }) => document.body.setAttribute('data-key', key))
  })
  await panel.getByRole('combobox').first().press('s')
  expect(await page.locator('body').getAttribute('data-key')).toBeNull()
})

it('is resized with the pointer and the keyboard, and keeps its height', async () => {
  const { page, panel, reload, start } = await openPanel()
  const handle = panel.getByRole('separator', { name: 'Height of the dashboard' })
  const height = async () => (await panel.boundingBox())?.height
  await handle.hover()
  await page.mouse.down()
  await page.mouse.move(200, 400)
  await page.mouse.up()
  const viewport = page.viewportSize()?.height ?? 0
  await expect.poll(height).toBe(viewport - 400)
  await handle.focus()
  await page.keyboard.press('ArrowUp')
  await expect.poll(height).toBe(viewport - 400 + 40)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect.poll(height).toBe(viewport - 400 - 40)
  expect(await handle.getAttribute('aria-valuenow')).toBe(String(Math.round(((viewport - 440) / viewport) * 100)))
  await reload()
  expect(await start({ baseUrl: '/api' })).toBe('')
  await panel.waitFor()
  await expect.poll(height).toBe(viewport - 440)
  await handle.focus()
  await page.keyboard.press('End')
  await expect.poll(height).toBe(viewport)
  await page.keyboard.press('Home')
  await expect.poll(height).toBe(120)
})

it('moves to the side, and the page keeps its space beside it', async () => {
  const { page, panel, reload, start } = await openPanel()
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  const padding = () =>
    page.evaluate(() => [document.documentElement.style.paddingBottom, document.documentElement.style.paddingRight])
  await expect.poll(padding).toEqual([`${height / 2}px`, ''])
  await panel.getByRole('button', { name: 'Move' }).click()
  await expect.poll(() => panel.boundingBox()).toMatchObject({ y: 0, height, width: Math.min(width / 2, 576) })
  const handle = panel.getByRole('separator', { name: 'Width of the dashboard' })
  await handle.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(padding).toEqual(['', '360px'])
  await reload()
  expect(await start({ baseUrl: '/api' })).toBe('')
  await panel.waitFor()
  await expect.poll(() => panel.boundingBox()).toMatchObject({ x: width - 360, y: 0, width: 360, height })
  await panel.getByRole('button', { name: 'Move' }).click()
  await expect.poll(padding).toEqual([`${height / 2}px`, ''])
  await panel.getByRole('button', { name: 'Close' }).click()
  await expect.poll(padding).toEqual(['', ''])
})

it('keeps the focus after an action, so that Esc closes it', async () => {
  const { page, panel } = await openPanel()
  await panel.getByRole('navigation').getByRole('button', { name: 'State' }).click()
  await panel.getByRole('region', { name: 'Snapshots' }).getByLabel('Name').fill('before')
  await panel.getByRole('button', { name: 'Take snapshot' }).click()
  await panel.getByText('Took snapshot before.').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => panel.count()).toBe(0)
})

it('is open again after a reload without taking the focus, unless it was closed', async () => {
  const { page, panel, reload, start } = await openPanel()
  await reload()
  expect(await start({ baseUrl: '/api' })).toBe('')
  await panel.waitFor()
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
  await panel.getByRole('button', { name: 'Close' }).click()
  await reload()
  expect(await start({ baseUrl: '/api' })).toBe('')
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  expect(await panel.count()).toBe(0)
})

it('shows commands for the console of the page, and none for a shell', async () => {
  const { page, panel, fetch } = await openPanel()
  const command = (await panel.getByText('await fetch(').first().textContent()) ?? ''
  expect(command).toMatch(/^await fetch\("http:.*\/api\/pets\?limit=3"\)$/)
  expect(await page.evaluate(`(async () => (${command}).status)()`)).toBe(200)
  await fetch('/api/pets/17')
  await panel.getByRole('button', { name: '/pets/17' }).click()
  await panel.getByText('Copy as…').click()
  await panel.getByRole('button', { name: 'fetch' }).waitFor()
  expect(await panel.getByText('curl').count()).toBe(0)
  expect((await download(page, 'Save reproduction')).content).toContain('"path": "/pets/17"')
})
