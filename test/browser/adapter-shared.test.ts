import { expect, it } from 'vitest'
import { type SitePage, useAdapterSites } from './adapter-site.js'

const OPTIONS = { baseUrl: '/api', shareState: true }
const POST = { method: 'POST', headers: { 'content-type': 'application/json' } }
const PET = { ...POST, body: '{"name":"Shared","categoryId":1}' }

const { openSite } = useAdapterSites()

/** Two tabs of one site. The first is the owner. */
async function openTabs(): Promise<[SitePage, SitePage]> {
  const { openPage } = await openSite()
  const [owner, other] = [await openPage(), await openPage()]
  expect(await owner.start(OPTIONS)).toBe('')
  expect(await other.start(OPTIONS)).toBe('')
  return [owner, other]
}

it('has one state in both tabs, faults included, and gives every record its own id', async () => {
  const [owner, other] = await openTabs()
  const created = await Promise.all([owner, other, owner, other].map(({ fetch }) => fetch('/api/pets', PET)))
  expect(new Set(created.map(({ text }) => JSON.parse(text).id))).toEqual(new Set([73, 74, 75, 76]))
  expect((await other.fetch('/api/pets/73')).text).toContain('Shared')
  await other.fetch('/api/__admin/faults', { ...POST, body: '{"operation":"getPet","status":503,"times":1}' })
  expect((await owner.fetch('/api/pets/73')).status).toBe(503)
  expect((await other.fetch('/api/pets/73')).status).toBe(200)
  // Functions of the mock read the shared data in every tab.
  const read = () => other.page.evaluate(() => window.page.get('petstore').data.pets.find(76)?.name)
  await expect.poll(read).toBe('Shared')
})

it('shows the requests of both tabs in a dashboard', async () => {
  const [owner, other] = await openTabs()
  await other.page.evaluate(() => window.page.get('petstore').openDashboard())
  const panel = other.page.getByRole('region', { name: 'petstore-mock dashboard' })
  await panel.getByText('Live', { exact: true }).waitFor()
  await owner.fetch('/api/pets/17')
  await panel.getByText('/pets/17').first().waitFor()
})

it('is taken over by another tab when the owner is closed', async () => {
  const [owner, other] = await openTabs()
  await owner.fetch('/api/pets', PET)
  await owner.page.evaluate(() => {
    const petstore = window.page.get('petstore')
    petstore.faults.add({ operation: 'listPets', status: 503 })
    petstore.snapshots.take('mine')
    petstore.clock.freeze()
    petstore.clock.set('2030-12-06T00:00:00Z')
  })
  // Never answered by the owner.
  await owner.page.evaluate(() => window.page.get('petstore').override('getCategory', () => new Promise(() => {})))
  const lost = other.fetch('/api/categories/1').catch((error: Error) => error.message)
  await expect.poll(() => owner.page.evaluate(() => window.page.get('petstore').overrides.list()[0]?.applied)).toBe(1)
  await owner.page.close({ runBeforeUnload: false })
  expect(await lost).toContain('Failed to fetch')
  other.printedErrors.splice(0)
  expect((await other.fetch('/api/pets/73')).text).toContain('Shared')
  expect((await other.fetch('/api/pets')).status).toBe(503)
  const left = await other.page.evaluate(() => {
    const { snapshots, clock } = window.page.get('petstore')
    return [snapshots.list().map(({ name }) => name), clock.state().frozen]
  })
  expect(left).toEqual([['mine'], true])
})

it('stays with the other tab when the owner is reloaded or stopped', async () => {
  const [owner, other] = await openTabs()
  await owner.fetch('/api/pets', PET)
  await owner.reload()
  expect(await owner.start(OPTIONS)).toBe('')
  expect((await owner.fetch('/api/pets/73')).text).toContain('Shared')
  await other.page.evaluate(() => window.page.get('petstore').stop())
  await owner.fetch('/api/pets', PET)
  expect((await owner.fetch('/api/pets/74')).text).toContain('Shared')
})

it('has the faults of the last owner after a takeover, not those that the other tab has set', async () => {
  const [owner, other] = await openTabs()
  for (const { page } of [owner, other]) {
    await page.evaluate(() => {
      const { faults, clock } = window.page.get('petstore')
      faults.add({ operation: 'getPet', status: 503, times: 1 })
      clock.freeze()
    })
  }
  expect((await other.fetch('/api/pets/1')).status).toBe(503)
  await owner.page.evaluate(() => {
    window.page.get('petstore').clock.reset()
    window.page.get('petstore').stop()
  })
  expect((await other.fetch('/api/pets/1')).status).toBe(200)
  const left = await other.page.evaluate(() => {
    const { faults, clock } = window.page.get('petstore')
    return [faults.list().map(({ applied }) => applied), clock.state().frozen]
  })
  expect(left).toEqual([[1], false])
})

it('fails a request of another tab as if offline for an invalid override of the owner, and prints the reason there', async () => {
  const [owner, other] = await openTabs()
  await owner.page.evaluate(() => window.page.get('petstore').override('getPet', () => ({}) as never))
  expect(await other.fetch('/api/pets/1').catch((error: Error) => error.message)).toContain('Failed to fetch')
  expect(other.printedErrors.splice(0).join()).toContain('The override of getPet must return a status')
  // For check().
  await owner.page.evaluate(() => window.page.get('petstore').reset())
})

it('ends the event streams of a tab that is reloaded', async () => {
  const [owner, other] = await openTabs()
  const readEvents = () => other.page.evaluate(async () => void (await fetch('/api/__admin/events')))
  await readEvents()
  await other.reload()
  expect(await other.start(OPTIONS)).toBe('')
  await readEvents()
  await owner.page.evaluate(() => {
    const parts: unknown[] = []
    Object.assign(window, { parts })
    const { postMessage } = BroadcastChannel.prototype
    BroadcastChannel.prototype.postMessage = function (message) {
      if (message.type === 'part') parts.push(message)
      postMessage.call(this, message)
    }
  })
  await owner.fetch('/api/pets/1')
  expect(await owner.page.evaluate(() => Reflect.get(window, 'parts').length)).toBe(1)
})
