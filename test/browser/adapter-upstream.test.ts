import { readFileSync } from 'node:fs'
import { OpenAPIBackend } from 'openapi-backend'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { startServer } from '../../src/adapters/server/index.js'
import { CARELESS } from '../support/careless-service.js'
import { serve } from '../support/serve.js'
import { serveCareless } from '../support/serve-careless.js'
import { useBrowser } from './browser.js'

const browser = useBrowser()

interface Sent {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly body?: object
  /** Whether the request itself violates the document. */
  readonly isInvalid?: true
}

const REQUESTS: readonly Sent[] = [
  { operation: 'listPets', method: 'GET', path: '/pets?limit=5' },
  { operation: 'listPets', method: 'GET', path: '/pets?limit=0', isInvalid: true },
  { operation: 'getPet', method: 'GET', path: '/pets/0x1', isInvalid: true },
  { operation: 'getPet', method: 'GET', path: '/pets/01', isInvalid: true },
  { operation: 'createPet', method: 'POST', path: '/pets', body: { name: 'Rex', categoryId: 1 } },
  { operation: 'createPet', method: 'POST', path: '/pets', body: { name: 'Rex', categoryId: '1' }, isInvalid: true },
  { operation: 'createPet', method: 'POST', path: '/pets', body: {}, isInvalid: true },
  { operation: 'updatePet', method: 'PUT', path: '/pets/1', body: { name: 'Max', categoryId: 1, id: 7 } },
  { operation: 'createOrder', method: 'POST', path: '/store/orders', body: { petId: '1' }, isInvalid: true },
  { operation: 'updateOrder', method: 'PATCH', path: '/store/orders/1', body: { complete: 'no' }, isInvalid: true },
  { operation: 'updateInventory', method: 'PUT', path: '/store/inventory/3', body: { quantity: 2 } },
  { operation: 'listInventory', method: 'GET', path: '/store/inventory' },
  { operation: 'deletePet', method: 'DELETE', path: '/pets/2' },
  { operation: 'getPet', method: 'GET', path: '/pets/2' },
  { operation: 'createCategory', method: 'POST', path: '/categories', body: { name: 'Fish' } },
]

/** Runs in the page. */
async function sendAll(requests: readonly Sent[]): Promise<{ status: number; text: string }[]> {
  const received: { status: number; text: string }[] = []
  for (const { method, path, body } of requests) {
    const json = body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
    const response = await fetch(path, { method, ...json })
    received.push({ status: response.status, text: await response.text() })
  }
  return received
}

const definition = parse(readFileSync(new URL('../../spec/openapi.yaml', import.meta.url), 'utf8'))
const reference = new OpenAPIBackend({ definition, quick: true, ajvOpts: { logger: false } })
beforeAll(() => reference.init())

/** What openapi-backend says of a response, which the mock does not ask. */
function isValid(operation: string, { status, text }: { status: number; text: string }): boolean {
  if (reference.router.getOperation(operation)?.responses?.[status] === undefined) return false
  return text === '' || reference.validator.validateResponse(JSON.parse(text), operation, status).valid === true
}

it.each(Object.entries(CARELESS))('finds every violation while a page uses a service that %s', async (_, careless) => {
  const front = await startServer({ port: 0, upstream: await serveCareless(careless), pass: ['*'] })
  onTestFinished(() => front.close())
  const page = await browser.openPage()
  await page.goto(`${front.url}/pets/1`)
  front.petstore.journal.clear()

  const received = await page.evaluate(sendAll, REQUESTS)
  // The browser asks for an icon.
  const entries = front.petstore.journal.entries().filter(({ operation }) => operation !== undefined)
  expect(
    entries.map(({ operation, status, violations, upstream }) => [
      operation,
      status,
      !violations,
      !upstream?.violations,
    ]),
  ).toEqual(
    received.map((response, index) => {
      const { operation, isInvalid } = REQUESTS[index] as Sent
      return [operation, response.status, !isInvalid, isValid(operation, response)]
    }),
  )
  expect(entries.some(({ upstream }) => upstream?.violations)).toBe(true)
})

/** A service that knows who has logged in, and moves a pet to another address. */
function serveLogin(): Promise<string> {
  return serve((request, response) => {
    const { url, headers } = request
    const type = { 'Content-Type': 'application/json' }
    if (url === '/v1/login') {
      const cookie = 'sid=7; Domain=service.example; Path=/v1; Secure; HttpOnly; SameSite=None; Partitioned'
      response.writeHead(303, { 'Set-Cookie': cookie, Location: `http://${headers.host}/v1/pets/1` }).end()
    } else if (url === '/v1/pets/2') response.writeHead(307, { Location: '/v1/pets/1' }).end()
    else response.writeHead(200, type).end(JSON.stringify({ url, cookie: headers.cookie ?? 'none' }))
  })
}

/** Runs in the page. */
async function follow(url: string): Promise<unknown> {
  const response = await fetch(url, { method: url.endsWith('/login') ? 'POST' : 'GET', credentials: 'include' })
  return [response.url, await response.json()]
}

it('a page of the mock logs in and follows redirects as at the service itself', async () => {
  const front = await startServer({ port: 0, upstream: `${await serveLogin()}/v1`, pass: ['*'], passUnknown: true })
  onTestFinished(() => front.close())
  const page = await (await browser.openProfile()).newPage()
  await page.goto(`${front.url}/docs`)
  const landed = `${front.url}/pets/1`
  expect(await page.evaluate(follow, '/pets/2')).toEqual([landed, { url: '/v1/pets/1', cookie: 'none' }])
  expect(await page.evaluate(follow, '/login')).toEqual([landed, { url: '/v1/pets/1', cookie: 'sid=7' }])
  expect(await page.evaluate(follow, '/pets/2')).toEqual([landed, { url: '/v1/pets/1', cookie: 'sid=7' }])
  expect(await page.evaluate('document.cookie')).toBe('')
  await page.goto(`${front.url}/pets/2`)
  expect(page.url()).toBe(landed)
})

it('a page of another origin has cookies with cors and corsCredentials', async () => {
  const upstream = `${await serveLogin()}/v1`
  const site = await serve((_request, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(''))
  const page = await (await browser.openProfile()).newPage()
  await page.goto(site)
  const login = async (corsCredentials: boolean) => {
    const front = await startServer({
      port: 0,
      upstream,
      pass: ['*'],
      passUnknown: true,
      cors: [site],
      corsCredentials,
    })
    onTestFinished(() => front.close())
    return page.evaluate(follow, `${front.url}/login`).catch(() => 'not allowed')
  }
  expect(await login(false)).toBe('not allowed')
  expect(await login(true)).toEqual([expect.stringContaining('/pets/1'), { url: '/v1/pets/1', cookie: 'sid=7' }])
})
