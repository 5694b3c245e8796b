import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { GLANCES, READINGS } from '../support/attack-readings.js'
import { ASKED_FIRST, FORMS, POSTS, type Sending, submitForm } from '../support/attack-writings.js'
import { type Act, openVictim, SECRET, seenBy, useAttackers, type Victim } from '../support/attacks.js'
import { soon } from '../support/dashboard.js'

const { open, origin, visit } = useAttackers()

const BEYOND = { host: '0.0.0.0', adminToken: SECRET }
const READABLE = ['a fetch', 'a fetch by way of a redirect', 'a service worker'] as const
const PET = JSON.stringify({ name: 'Welcome', categoryId: 1 })

/** Runs in a page: sends JSON and says what came back. */
async function postJson({ address, text }: Sending): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(address, { method: 'POST', body: text, headers })
  return `${answer.status} ${await answer.text()}`
}

/** Runs in a page: asks with the token of the control plane. */
async function fetchWithToken({ address, text }: Sending): Promise<string> {
  return (await fetch(address, { headers: { authorization: `Bearer ${text}` } })).text()
}

/** Looks at the control plane in every way, in vain. */
async function expectUnread(victim: Victim, page: Page, address: string): Promise<void> {
  await victim.unharmed(async () => {
    for (const [way, act] of Object.entries({ ...READINGS, ...GLANCES })) {
      const path = way === 'an event stream' ? '/__admin/events' : '/__admin/state'
      victim.asked.length = 0
      expect(await seenBy(page, act as Act<string>, address + path)).not.toMatch(new RegExp(`${SECRET}|loaded`))
      expect(new Set(victim.asked)).toStrictEqual(new Set([`GET ${path} 403`]))
    }
  })
}

describe('a page that --cors names', () => {
  it.each(READABLE)('reads the API with %s', async (way) => {
    const victim = await openVictim({ cors: [origin()] })
    expect(await seenBy(await open(), READINGS[way], `${victim.url}/pets/1`)).toContain(SECRET)
  })

  it('writes through the API', async () => {
    const victim = await openVictim({ cors: [origin()] })
    const page = await open()
    expect(await seenBy(page, postJson, { address: `${victim.url}/pets`, text: PET })).toMatch(/^201 .*Welcome/)
    expect(victim.asked).toStrictEqual(['OPTIONS /pets 204', 'POST /pets 201'])
  })

  it.each(['a fetch with credentials', 'a request of the old kind', 'a frame without an origin'] as const)(
    'I4 reads nothing with %s',
    async (way) => {
      const victim = await openVictim({ cors: [origin()] })
      expect(await seenBy(await open(), READINGS[way], `${victim.url}/pets/1`)).not.toContain(SECRET)
    },
  )

  it('is another one on another port', async () => {
    const victim = await openVictim({ cors: [origin().replace(/\d+$/, '1')] })
    const act = READINGS['a fetch']
    const seen = await victim.unharmed(async () => seenBy(await open(), act, `${victim.url}/pets/1`))
    expect(seen).toContain('Failed to fetch')
    expect(victim.asked).toStrictEqual(['GET /pets/1 403'])
  })

  it('cannot read the control plane in any way', async () => {
    const victim = await openVictim({ cors: [origin()] })
    await expectUnread(victim, await open(), victim.url)
  })
})

/** Another port of this machine: of another site under the one name of the mock, of the same under the other. */
describe.each(['127.0.0.1', 'localhost'])('a page on another port of localhost, and a mock at %s', (name) => {
  it.each(READABLE.slice(0, 2))('reads the API with %s', async (way) => {
    const victim = await openVictim()
    const page = await open('localhost')
    expect(await seenBy(page, READINGS[way], `http://${name}:${victim.port}/pets/1`)).toContain(SECRET)
  })

  it('writes through the API', async () => {
    const victim = await openVictim()
    const page = await open('localhost')
    const address = `http://${name}:${victim.port}/pets`
    expect(await seenBy(page, postJson, { address, text: PET })).toMatch(/^201 /)
  })

  it('cannot read the control plane in any way', async () => {
    const victim = await openVictim()
    await expectUnread(victim, await open('localhost'), `http://${name}:${victim.port}`)
  })

  it('I1 changes nothing through the control plane', async () => {
    const victim = await openVictim()
    const page = await open('localhost')
    const sending = { address: `http://${name}:${victim.port}/__admin/reset`, text: '{"seed":7}' }
    const acts = { ...POSTS, ...ASKED_FIRST }
    await victim.unharmed(async () => {
      for (const kind of Object.values(FORMS)) await seenBy(page, submitForm, { ...sending, ...kind })
      for (const act of Object.values(acts)) await seenBy(page, act as Act<Sending>, sending)
      await soon(() => victim.asked.length).toBe(Object.keys({ ...FORMS, ...acts }).length)
    })
    expect([...new Set(victim.asked)].sort()).toStrictEqual(
      ['OPTIONS', 'POST'].map((method) => `${method} /__admin/reset 403`),
    )
  })
})

describe('a page of the mock itself', () => {
  const WAYS = ['a fetch', 'a fetch with credentials', 'a request of the old kind', 'a frame'] as const

  it.each(WAYS)('reads the control plane with %s', async (way) => {
    const victim = await openVictim()
    const page = await visit(`${victim.url}/openapi.json`)
    expect(await seenBy(page, READINGS[way], `${victim.url}/__admin/state`)).toContain(SECRET)
  })

  it('hears events', async () => {
    const victim = await openVictim()
    const page = await visit(`${victim.url}/openapi.json`)
    const heard = seenBy(page, READINGS['an event stream'], `${victim.url}/__admin/events`)
    await soon(() => victim.asked).toContain('GET /__admin/events 200')
    await victim.fetch('/pets/1')
    expect(await heard).toContain('/pets/1')
  })

  it.each(['reset', 'clock/advance', `snapshots/${SECRET}/restore`])(
    'I12 changes nothing with an image of /__admin/%s',
    async (path) => {
      const victim = await openVictim()
      const page = await visit(`${victim.url}/openapi.json`)
      await victim.unharmed(() => seenBy(page, GLANCES['an image'], `${victim.url}/__admin/${path}`))
      expect(victim.asked).toContain(`GET /__admin/${path} 405`)
    },
  )

  it.each([...WAYS, 'an event stream'] as const)('needs the token beyond loopback for %s', async (way) => {
    const victim = await openVictim(BEYOND)
    const page = await visit(`${victim.url}/openapi.json`)
    const address = `${victim.url}/__admin/${way === 'an event stream' ? 'events' : 'state'}`
    expect(await victim.unharmed(() => seenBy(page, READINGS[way], address))).not.toContain(SECRET)
    expect(victim.asked).toContain(`GET ${new URL(address).pathname} 401`)
  })

  it('changes nothing without the token beyond loopback, and is answered with it', async () => {
    const victim = await openVictim(BEYOND)
    const page = await visit(`${victim.url}/openapi.json`)
    const address = `${victim.url}/__admin/reset`
    expect(await victim.unharmed(() => seenBy(page, postJson, { address, text: '{}' }))).toMatch(/^401 /)
    const asked = { address: `${victim.url}/__admin/state`, text: BEYOND.adminToken }
    expect(await seenBy(page, fetchWithToken, asked)).toContain(`"name":"${SECRET}"`)
  })
})

it.each(['/__admin/', '/docs', '/pets/1'])('somebody who follows a link of a stranger arrives at %s', async (path) => {
  const victim = await openVictim()
  const page = await open()
  await page.evaluate((address) => {
    document.body.innerHTML = `<a href="${address}">Look at this</a>`
  }, victim.url + path)
  const [answer] = await Promise.all([page.waitForResponse(victim.url + path), page.getByText('Look at this').click()])
  expect(answer.status()).toBe(200)
})

describe.each(['rebind.example', 'rebind.localhost', 'localhost.'])('a page whose name %s leads here', (name) => {
  it('I2 is shown nothing', async () => {
    const victim = await openVictim()
    await victim.unharmed(async () => {
      for (const path of ['/pets', '/pets/1', '/__admin/', '/__admin/state', '/openapi.json', '/docs', '/']) {
        const page = await visit(`http://${name}:${victim.port}${path}`)
        expect(JSON.parse(await page.locator('pre').innerText())).toMatchObject({ status: 421 })
        expect(victim.asked.pop()).toBe(`GET ${path} 421`)
      }
    })
  })

  it('I2 is told nothing in any way, although to the browser it is of the same origin', async () => {
    const victim = await openVictim()
    const address = `http://${name}:${victim.port}`
    await victim.unharmed(async () => {
      const page = await visit(`${address}/pets`)
      for (const way of [
        'a fetch',
        'a request of the old kind',
        'an event stream',
        'a web socket',
        'a frame',
      ] as const) {
        for (const path of ['/pets', '/__admin/state', '/__admin/events']) {
          expect(await seenBy(page, READINGS[way], address + path)).not.toContain(SECRET)
        }
      }
      for (const path of ['/pets', '/__admin/reset']) {
        expect(await seenBy(page, postJson, { address: address + path, text: PET })).toMatch(/^421 /)
      }
    })
    const paths = ['GET /__admin/events', 'GET /__admin/state', 'GET /pets', 'POST /__admin/reset', 'POST /pets']
    expect([...new Set(victim.asked)].sort()).toStrictEqual(paths.map((path) => `${path} 421`))
  })
})
