import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PROBES, READS } from './attack-readings.js'
import { FORMS, type Payload, POSTS, PREFLIGHTED, submitForm } from './attack-writings.js'
import {
  type Act,
  adminPathFor,
  expectUnread,
  openVictim,
  READABLE,
  resultOf,
  SECRET,
  useAttackers,
  type Victim,
} from './attacks.js'

const { open, origin, received } = useAttackers()

/** Targets that would change something, with their bodies. */
const TARGETS: Readonly<Record<string, unknown>> = {
  '/__admin/reset': { seed: 7 },
  '/__admin/state': { categories: [], pets: [], inventory: [], orders: [] },
  [`/sandbox/${SECRET}/__admin/reset`]: {},
  '/pets': { name: 'Trojan', categoryId: 1 },
  '/store/orders': { petId: 1, quantity: 1 },
}

type Send = (page: Page, sending: Payload) => Promise<string>

const SENDS: [string, Send][] = [
  ...Object.entries(FORMS).map(([title, kind]): [string, Send] => [
    title,
    (page, sending) => resultOf(page, submitForm, { ...sending, ...kind }),
  ]),
  ...toSends(POSTS),
]
const PREFLIGHTS = toSends(PREFLIGHTED)

function toSends(acts: Readonly<Record<string, Act<Payload>>>): [string, Send][] {
  return Object.entries(acts).map(([title, act]) => [title, (page, sending) => resultOf(page, act, sending)])
}

/** Many requests at once, to exhaust a limit. None of them needs a click. */
const FLOODS = {
  'image tags': (addresses: readonly string[]) =>
    Promise.all(
      addresses.map(
        (address) =>
          new Promise((resolve) => {
            const image = new Image()
            image.onload = resolve
            image.onerror = resolve
            image.src = address
          }),
      ),
    ),
  'aborted navigations': async (addresses: readonly string[]) => {
    // The automation counts as a click, and this uses it up.
    window.open('about:blank')?.close()
    for (const address of addresses) {
      location.href = address
      // Part of the attack: long enough for the browser to send the request, before the next navigation aborts it. The page
      // cannot see when that happens.
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  },
} as const

/** Opens a window from a page, which reads its document once it is loaded. Returns what the page can see. */
async function readWindow(page: Page, address: string): Promise<string> {
  const [opened, reference] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluateHandle((target) => window.open(target), address),
  ])
  await opened.waitForLoadState()
  const read = (shown: Window | null) => String(shown?.document.documentElement.textContent)
  return reference.evaluate(read).catch(String)
}

/** Sends to every target, and expects that each request is rejected. The browser decides when they arrive. */
async function expectUnsent(victim: Victim, page: Page, send: Send, method: string): Promise<void> {
  const paths = Object.keys(TARGETS)
  victim.requests.length = 0
  await victim.expectUnchanged(async () => {
    for (const [path, body] of Object.entries(TARGETS)) {
      expect(await send(page, { address: victim.url + path, text: JSON.stringify(body) })).not.toContain(SECRET)
    }
    await expect.poll(() => victim.requests.length).toBeGreaterThanOrEqual(paths.length)
  })
  expect(victim.requests.toSorted()).toStrictEqual(paths.map((path) => `${method} ${path} 403`).toSorted())
}

describe('a page of another site', () => {
  it.each(READS)('cannot read the admin API with %s', async (title, act) => {
    const page = await open()
    await expectUnread(await openVictim(), page, act, adminPathFor(title))
    expect(await resultOf(page, act, `${origin()}/treasure`)).toMatch(READABLE)
  })

  it.each(READS)('I4 cannot read the API with %s', async (_, act) => {
    await expectUnread(await openVictim(), await open(), act, '/pets')
  })

  it('can open a window of the admin API, but not read it', async () => {
    const victim = await openVictim()
    const page = await open()
    const seen = await victim.expectUnchanged(() => readWindow(page, `${victim.url}/__admin/state`))
    expect(seen).toContain('SecurityError')
    expect(await readWindow(page, `${origin()}/treasure`)).toContain(SECRET)
  })

  it('I12 changes nothing with images whose URLs would change something', async () => {
    const victim = await openVictim()
    const page = await open()
    for (const path of ['reset', 'clock/advance', `snapshots/${SECRET}/restore`]) {
      await expectUnread(victim, page, PROBES['an image'], `/__admin/${path}`)
    }
  })

  it.each(SENDS)('I1 changes nothing with %s', async (_, send) => {
    await expectUnsent(await openVictim(), await open(), send, 'POST')
    received.length = 0
    const page = await open()
    await send(page, { address: `${origin('127.0.0.1')}/treasure`, text: '{}' })
    await expect.poll(() => received.map((one) => one.split(' ', 2).join(' '))).toStrictEqual(['POST /treasure'])
  })

  it.each(PREFLIGHTS)('I3 is not allowed to send a %s', async (title, send) => {
    await expectUnsent(await openVictim(), await open(), send, 'OPTIONS')
    received.length = 0
    const place = `/${encodeURIComponent(title)}`
    await send(await open(), { address: origin('127.0.0.1') + place, text: '{}' })
    const [method] = title.split(' ')
    const sent = title === 'DELETE' ? '' : '{}'
    await expect.poll(() => received).toStrictEqual([`OPTIONS ${place} `, `${method} ${place} ${sent}`])
  })

  it.each(Object.entries(FLOODS))('exhausts no limit with %s', async (title, act) => {
    const victim = await openVictim()
    const page = await open()
    // Requests may still be in progress.
    onTestFinished(() => page.close())
    const count = title === 'image tags' ? 300 : 10
    const paths = ['/pets', ...Array.from({ length: count }, (_, index) => `/sandbox/new-${index}/pets`)]
    await victim.expectUnchanged(async () => {
      const addresses = paths.map((path) => victim.url + path)
      await resultOf(page, act as Act<readonly string[]>, addresses)
      // A browser sends all requests of some kinds, and only some of others.
      await expect.poll(() => victim.requests.length).toBeGreaterThanOrEqual(title === 'image tags' ? paths.length : 2)
    })
    expect(victim.requests.filter((one) => !one.endsWith(' 403'))).toStrictEqual([])
    // The fault still applies to the next allowed request.
    expect((await victim.fetch('/pets')).status).toBe(503)
  })
})
