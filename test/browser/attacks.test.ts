import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { GLANCES, openWindow, READINGS } from '../support/attack-readings.js'
import { ASKED_FIRST, FORMS, POSTS, type Sending, STORMS, submitForm } from '../support/attack-writings.js'
import { type Act, openVictim, SECRET, seenBy, useAttackers, type Victim } from '../support/attacks.js'
import { soon } from '../support/dashboard.js'

const { open, origin, received } = useAttackers()

const READS: [string, Act<string>][] = [...Object.entries(READINGS), ...Object.entries(GLANCES)]

/** What is in the control plane, and some spellings of it. */
const CONTROL = [
  ...['health', 'state', 'journal', 'journal/1', 'faults', 'sandboxes', 'snapshots', 'scenarios', 'clock', 'coverage'],
  ...['', 'openapi.json', 'assets/dashboard.js', 'nothing'],
].map((path) => `/__admin/${path}`)
const SPELLINGS = ['/%5f%5fadmin/state', `/sandbox/${SECRET}/__admin/state`, '/sandbox/new/__admin/state', '/__admin']

/** Where a page would like to send something, and what. */
const TARGETS: Readonly<Record<string, unknown>> = {
  '/__admin/reset': { seed: 7 },
  '/__admin/state': { categories: [], pets: [], inventory: [], orders: [] },
  [`/sandbox/${SECRET}/__admin/reset`]: {},
  '/pets': { name: 'Trojan', categoryId: 1 },
  '/store/orders': { petId: 1, quantity: 1 },
}

type Send = (page: Page, sending: Sending) => Promise<string>

const SENDS: [string, Send][] = [
  ...Object.entries(FORMS).map(([title, kind]): [string, Send] => [
    title,
    (page, sending) => seenBy(page, submitForm, { ...sending, ...kind }),
  ]),
  ...toSends(POSTS),
]
const PREFLIGHTS = toSends(ASKED_FIRST)

function toSends(acts: Readonly<Record<string, Act<Sending>>>): [string, Send][] {
  return Object.entries(acts).map(([title, act]) => [title, (page, sending) => seenBy(page, act, sending)])
}

const BEYOND = { host: '0.0.0.0', adminToken: SECRET }

/** What is seen where something was read or at least was there. */
const ANYTHING = new RegExp(`${SECRET}|loaded|FORBIDDEN`)

/** Looks at an address of the victim in vain: it is refused, and none the worse for it. */
async function expectUnread(victim: Victim, page: Page, act: Act<string>, path: string): Promise<void> {
  victim.asked.length = 0
  expect(await victim.unharmed(() => seenBy(page, act, victim.url + path))).not.toMatch(ANYTHING)
  expect(new Set(victim.asked)).toStrictEqual(new Set([`GET ${path} 403`]))
}

/** Where the control plane is looked at: what is an event stream can only be read as one. */
function placeFor(title: string): string {
  return title === 'an event stream' ? '/__admin/events' : '/__admin/state'
}

/** Sends to every target in vain: each is refused, and arrives as soon as the browser likes. */
async function expectUnsent(victim: Victim, page: Page, send: Send, method: string): Promise<void> {
  const paths = Object.keys(TARGETS)
  victim.asked.length = 0
  await victim.unharmed(async () => {
    for (const [path, body] of Object.entries(TARGETS)) {
      expect(await send(page, { address: victim.url + path, text: JSON.stringify(body) })).not.toContain(SECRET)
    }
    await soon(() => victim.asked.length).toBeGreaterThanOrEqual(paths.length)
  })
  expect(victim.asked.toSorted()).toStrictEqual(paths.map((path) => `${method} ${path} 403`).toSorted())
}

describe('a page of a stranger', () => {
  it.each(READS)('cannot read the control plane with %s', async (title, act) => {
    const page = await open()
    await expectUnread(await openVictim(), page, act, placeFor(title))
    expect(await seenBy(page, act, `${origin()}/treasure`)).toMatch(ANYTHING)
  })

  it.each(READS)('I4 cannot read the API with %s', async (_, act) => {
    await expectUnread(await openVictim(), await open(), act, '/pets')
  })

  it('can open a window of the control plane, but not look into it', async () => {
    const victim = await openVictim()
    const page = await open()
    const seen = await victim.unharmed(() => seenBy(page, openWindow, `${victim.url}/__admin/state`))
    expect(seen).toContain('SecurityError')
    expect(await seenBy(page, openWindow, `${origin()}/treasure`)).toContain(SECRET)
  })

  it('cannot read anything of the control plane, however it is spelled', async () => {
    const victim = await openVictim()
    const page = await open()
    for (const path of [...CONTROL, ...SPELLINGS]) {
      await expectUnread(victim, page, READINGS['a fetch'], path)
      await expectUnread(victim, page, GLANCES['an image'], path)
    }
  })

  it('I12 changes nothing with images of what changes something', async () => {
    const victim = await openVictim()
    const page = await open()
    for (const path of ['reset', 'clock/advance', `snapshots/${SECRET}/restore`]) {
      await expectUnread(victim, page, GLANCES['an image'], `/__admin/${path}`)
    }
  })

  it.each(SENDS)('I1 changes nothing with %s', async (_, send) => {
    await expectUnsent(await openVictim(), await open(), send, 'POST')
    received.length = 0
    const page = await open()
    await send(page, { address: `${origin('127.0.0.1')}/treasure`, text: '{}' })
    await soon(() => received.map((one) => one.split(' ', 2).join(' '))).toStrictEqual(['POST /treasure'])
  })

  it.each(PREFLIGHTS)('I3 is not allowed to send a %s', async (title, send) => {
    await expectUnsent(await openVictim(), await open(), send, 'OPTIONS')
    received.length = 0
    const place = `/${encodeURIComponent(title)}`
    await send(await open(), { address: origin('127.0.0.1') + place, text: '{}' })
    const [method] = title.split(' ')
    const sent = title === 'DELETE' ? '' : '{}'
    await soon(() => received).toStrictEqual([`OPTIONS ${place} `, `${method} ${place} ${sent}`])
  })

  it.each(Object.entries(STORMS))('uses nothing up with %s', async (title, act) => {
    const victim = await openVictim()
    const page = await open()
    // It may still be on its way somewhere.
    onTestFinished(() => page.close())
    const count = title === 'image tags' ? 300 : 10
    const paths = ['/pets', ...Array.from({ length: count }, (_, index) => `/sandbox/new-${index}/pets`)]
    await victim.unharmed(async () => {
      const addresses = paths.map((path) => victim.url + path)
      await seenBy(page, act as Act<readonly string[]>, addresses)
      // A browser sends all of some kinds, and of others only what it thinks is worth it.
      await soon(() => victim.asked.length).toBeGreaterThanOrEqual(title === 'image tags' ? paths.length : 2)
    })
    expect(victim.asked.filter((one) => !one.endsWith(' 403'))).toStrictEqual([])
    // The fault is still there for the next request of somebody who may ask.
    expect((await victim.fetch('/pets')).status).toBe(503)
  })
})

describe('a page of a stranger, and a server that asks for a token', () => {
  it('can read nothing beyond loopback', async () => {
    const victim = await openVictim(BEYOND)
    const page = await open()
    for (const [title, act] of READS) await expectUnread(victim, page, act, placeFor(title))
  })

  it('I1 changes nothing beyond loopback', async () => {
    const victim = await openVictim(BEYOND)
    const page = await open()
    for (const [, send] of SENDS) await expectUnsent(victim, page, send, 'POST')
    for (const [, send] of PREFLIGHTS) await expectUnsent(victim, page, send, 'OPTIONS')
  })
})
