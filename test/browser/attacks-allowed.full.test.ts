import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { READ_ATTEMPTS, READS } from './attack-readings.js'
import { FORMS, type Payload, POSTS, PREFLIGHTED, submitForm } from './attack-writings.js'
import {
  type Act,
  adminPathFor,
  BEYOND,
  expectUnread,
  openVictim,
  resultOf,
  SECRET,
  useAttackers,
  type Victim,
} from './attacks.js'

const { open, origin, visit } = useAttackers()

const WAYS_TO_READ = ['a fetch', 'a fetch through a redirect', 'a service worker'] as const
const PET = JSON.stringify({ name: 'Welcome', categoryId: 1 })

/** Runs in a page: sends JSON and returns the response. */
async function postJson({ address, text }: Payload): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(address, { method: 'POST', body: text, headers })
  return `${response.status} ${await response.text()}`
}

/** Runs in a page: sends the token of the admin API. */
async function fetchWithToken({ address, text }: Payload): Promise<string> {
  return (await fetch(address, { headers: { authorization: `Bearer ${text}` } })).text()
}

/** Expects that no read attempt succeeds on the admin API, under this base address of the mock. */
async function expectAllUnread(victim: Victim, page: Page, base: string): Promise<void> {
  for (const [title, act] of READS) await expectUnread(victim, page, act, adminPathFor(title), base)
}

describe('a page that --cors names', () => {
  it.each(WAYS_TO_READ)('reads the API with %s', async (way) => {
    const victim = await openVictim({ cors: [origin()] })
    expect(await resultOf(await open(), READ_ATTEMPTS[way], `${victim.url}/pets/1`)).toContain(SECRET)
  })

  it('writes through the API', async () => {
    const victim = await openVictim({ cors: [origin()] })
    const page = await open()
    expect(await resultOf(page, postJson, { address: `${victim.url}/pets`, text: PET })).toMatch(/^201 .*Welcome/)
    expect(victim.requests).toStrictEqual(['OPTIONS /pets 204', 'POST /pets 201'])
  })

  it.each(['a fetch with credentials', 'an XMLHttpRequest', 'a frame with an opaque origin'] as const)(
    'I4 reads nothing with %s',
    async (way) => {
      const victim = await openVictim({ cors: [origin()] })
      expect(await resultOf(await open(), READ_ATTEMPTS[way], `${victim.url}/pets/1`)).not.toContain(SECRET)
    },
  )

  it('cannot read the admin API in any way', async () => {
    const victim = await openVictim({ cors: [origin()] })
    await expectAllUnread(victim, await open(), victim.url)
  })
})

/** Another port of this machine: another site under one name of the mock, the same site under the other. */
describe.each(['127.0.0.1', 'localhost'])('a page on another port of localhost, and a mock at %s', (name) => {
  it.each(WAYS_TO_READ.slice(0, 2))('reads the API with %s', async (way) => {
    const victim = await openVictim()
    const page = await open('localhost')
    expect(await resultOf(page, READ_ATTEMPTS[way], `http://${name}:${victim.port}/pets/1`)).toContain(SECRET)
  })

  it('writes through the API', async () => {
    const victim = await openVictim()
    const page = await open('localhost')
    const address = `http://${name}:${victim.port}/pets`
    expect(await resultOf(page, postJson, { address, text: PET })).toMatch(/^201 /)
  })

  it('cannot read the admin API in any way', async () => {
    const victim = await openVictim()
    await expectAllUnread(victim, await open('localhost'), `http://${name}:${victim.port}`)
  })

  it('I1 changes nothing through the admin API', async () => {
    const victim = await openVictim()
    const page = await open('localhost')
    const sending = { address: `http://${name}:${victim.port}/__admin/reset`, text: '{"seed":7}' }
    const acts = { ...POSTS, ...PREFLIGHTED }
    await victim.expectUnchanged(async () => {
      for (const kind of Object.values(FORMS)) await resultOf(page, submitForm, { ...sending, ...kind })
      for (const act of Object.values(acts)) await resultOf(page, act as Act<Payload>, sending)
      await expect.poll(() => victim.requests.length).toBe(Object.keys({ ...FORMS, ...acts }).length)
    })
    expect([...new Set(victim.requests)].sort()).toStrictEqual(
      ['OPTIONS', 'POST'].map((method) => `${method} /__admin/reset 403`),
    )
  })
})

describe('a page of the mock itself', () => {
  const WAYS = ['a fetch', 'a fetch with credentials', 'an XMLHttpRequest', 'a frame'] as const

  it.each(WAYS)('reads the admin API with %s', async (way) => {
    const victim = await openVictim()
    const page = await visit(`${victim.url}/openapi.json`)
    expect(await resultOf(page, READ_ATTEMPTS[way], `${victim.url}/__admin/state`)).toContain(SECRET)
  })

  it('receives events', async () => {
    const victim = await openVictim()
    const page = await visit(`${victim.url}/openapi.json`)
    const heard = resultOf(page, READ_ATTEMPTS['an event stream'], `${victim.url}/__admin/events`)
    await expect.poll(() => victim.requests).toContain('GET /__admin/events 200')
    await victim.fetch('/pets/1')
    expect(await heard).toContain('/pets/1')
  })

  it('changes nothing without the token beyond loopback, and gets a response with it', async () => {
    const victim = await openVictim(BEYOND)
    const page = await visit(`${victim.url}/openapi.json`)
    const address = `${victim.url}/__admin/reset`
    expect(await victim.expectUnchanged(() => resultOf(page, postJson, { address, text: '{}' }))).toMatch(/^401 /)
    const payload = { address: `${victim.url}/__admin/state`, text: BEYOND.adminToken }
    expect(await resultOf(page, fetchWithToken, payload)).toContain(`"name":"${SECRET}"`)
  })
})

describe.each(['rebind.example', 'rebind.localhost', 'localhost.'])(
  'a page whose host name %s resolves to the mock',
  (name) => {
    it('I2 cannot be opened', async () => {
      const victim = await openVictim()
      await victim.expectUnchanged(async () => {
        for (const path of ['/pets', '/__admin/', '/docs', '/']) {
          const page = await visit(`http://${name}:${victim.port}${path}`)
          expect(JSON.parse(await page.locator('pre').innerText())).toMatchObject({ status: 421 })
          expect(victim.requests.pop()).toBe(`GET ${path} 421`)
        }
      })
    })

    it('I2 can read nothing, although the browser considers it the same origin', async () => {
      const victim = await openVictim()
      const address = `http://${name}:${victim.port}`
      await victim.expectUnchanged(async () => {
        const page = await visit(`${address}/pets`)
        for (const way of ['a fetch', 'an XMLHttpRequest', 'an event stream', 'a web socket', 'a frame'] as const) {
          for (const path of ['/pets', '/__admin/state', '/__admin/events']) {
            expect(await resultOf(page, READ_ATTEMPTS[way], address + path)).not.toContain(SECRET)
          }
        }
        for (const path of ['/pets', '/__admin/reset']) {
          expect(await resultOf(page, postJson, { address: address + path, text: PET })).toMatch(/^421 /)
        }
      })
      const paths = ['GET /__admin/events', 'GET /__admin/state', 'GET /pets', 'POST /__admin/reset', 'POST /pets']
      expect([...new Set(victim.requests)].sort()).toStrictEqual(paths.map((path) => `${path} 421`))
    })
  },
)
