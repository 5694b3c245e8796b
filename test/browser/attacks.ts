import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import type { RequestRecord, ServerOptions } from '../../src/adapters/server/index.js'
import { findChromium } from '../support/chromium.js'
import { shop } from '../support/client.js'
import { openServer } from '../support/raw-connection.js'
import { WAIT_MS } from './browser.js'

/** Contained in all data of the victim, and in every response of the careless site. */
export const SECRET = 'secret-of-the-victim'

/** Foreign host names that resolve to this machine. */
const FOREIGN_NAMES = ['evil.example', 'rebind.example']

/** Runs in a page, and returns what the page can see. */
export type Act<Given> = (given: Given) => Promise<unknown>

interface Site {
  readonly port: number
  close(): void
}

export interface Attackers {
  /** Opens a page of the site under one of its names; by default a foreign one. */
  open(host?: string): Promise<Page>
  /** Opens a page at any URL. */
  visit(address: string): Promise<Page>
  /** The origin of the site under one of its names. */
  origin(host?: string): string
  /** The requests to the site, except for its pages: what an attack sends to a server that allows it. */
  readonly received: string[]
}

/** For a test file: one browser, and one site with several host names. */
export function useAttackers(): Attackers {
  let browser: Browser
  let context: BrowserContext
  let page: Page | undefined
  let site: Site
  const received: string[] = []
  const origin = (host = 'evil.example') => `http://${host}:${site.port}`

  beforeAll(async () => {
    site = await openSite(received)
    const args = [
      '--no-sandbox',
      `--host-resolver-rules=${FOREIGN_NAMES.map((name) => `MAP ${name} 127.0.0.1`).join()}`,
      // As if it were served over HTTPS, which service workers require.
      `--unsafely-treat-insecure-origin-as-secure=${origin()}`,
    ]
    browser = await chromium.launch({ executablePath: findChromium() ?? '', args })
    context = await browser.newContext()
    context.setDefaultTimeout(WAIT_MS)
  })
  afterAll(async () => {
    await browser?.close()
    site?.close()
  })

  /** One page for all tests, because opening it is slow. */
  async function visit(address: string): Promise<Page> {
    if (page === undefined || page.isClosed()) page = await context.newPage()
    // Attacks open windows.
    const others = () => context.pages().filter((opened) => opened !== page)
    onTestFinished(async () => void (await Promise.all(others().map((opened) => opened.close()))))
    await page.goto(address)
    return page
  }

  return { visit, origin, received, open: (host) => visit(`${origin(host)}/`) }
}

/** A mock in use, while a page of another site is open in the same browser. */
export interface Victim {
  readonly port: number
  readonly url: string
  /** The requests that it received, with their statuses: `GET /pets 403`. */
  readonly requests: string[]
  /** Expects that a function changes nothing, not even the last use of a sandbox. */
  expectUnchanged<Result>(act: () => Promise<Result>): Promise<Result>
  fetch(path: string, init?: RequestInit): Promise<Response>
}

const ADMIN_PATHS = ['state', 'faults', 'sandboxes', 'snapshots', 'clock']

/** Requested by Chromium itself when a window shows a response. */
const ICON = '/favicon.ico'

/** Two sandboxes, which is the maximum, a fault for the next request, a snapshot and a journal. */
export async function openVictim(options: ServerOptions = {}): Promise<Victim> {
  const requests: string[] = []
  const onRequest = ({ method, target, status }: RequestRecord) => {
    if (target !== ICON) requests.push(`${method} ${target} ${status}`)
  }
  const fixtures = shop([{ id: 1, name: SECRET, stock: 5 }], [{ id: 1, petId: 1, quantity: 1 }])
  const server = await openServer({ fixtures, maxSandboxes: 2, onRequest, ...options })
  const { petstore, port, fetch } = server

  async function control(method: string, path: string, body: unknown): Promise<void> {
    const sent = { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    expect((await petstore.fetch(`http://localhost/__admin/${path}`, sent)).ok).toBe(true)
  }
  await control('PUT', 'clock', { now: '2030-01-01T00:00:00Z', frozen: true })
  await control('POST', 'snapshots', { name: SECRET })
  await control('POST', 'faults', { operation: 'listPets', status: 503, message: SECRET, times: 1 })
  await petstore.fetch('http://localhost/pets/1', { headers: { 'x-note': SECRET } })
  for (const name of ['first', SECRET]) petstore.sandboxes.open(name).data.pets.create({ name: SECRET, categoryId: 1 })

  async function readEverything(): Promise<string[]> {
    const responses = ADMIN_PATHS.map(async (path) => {
      const response = await petstore.fetch(`http://localhost/__admin/${path}`)
      expect(response.status).toBe(200)
      return `${path}: ${await response.text()}`
    })
    const journal = petstore.journal.entries().filter(({ path }) => path !== ICON)
    return [...(await Promise.all(responses)), ...journal.map(({ method, path }) => `${method} ${path}`)]
  }

  async function expectUnchanged<Result>(act: () => Promise<Result>): Promise<Result> {
    const before = await readEverything()
    const result = await act()
    expect(await readEverything()).toStrictEqual(before)
    return result
  }

  return { port, url: `http://127.0.0.1:${port}`, requests, expectUnchanged, fetch }
}

/** The result of an act, or its error. It runs in the page, so it can use only its argument. */
export function resultOf<Given>(page: Page, act: Act<Given>, given: Given): Promise<string> {
  return page.evaluate(act as Act<unknown>, given).then(String, String)
}

/** Options of a server beyond loopback. */
export const BEYOND = { host: '0.0.0.0', adminToken: SECRET }

/** Results that show that a page could read something, or learn that it exists. */
export const READABLE = new RegExp(`${SECRET}|loaded|FORBIDDEN`)

/** Expects that a read attempt is rejected and changes nothing. */
export async function expectUnread(
  { requests, expectUnchanged, url }: Victim,
  page: Page,
  act: Act<string>,
  path: string,
  base = url,
): Promise<void> {
  requests.length = 0
  expect(await expectUnchanged(() => resultOf(page, act, base + path))).not.toMatch(READABLE)
  await expect.poll(() => [...new Set(requests)]).toStrictEqual([`GET ${path} 403`])
}

/** The path of the admin API for each kind of read: an event stream can only be read as one. */
export function adminPathFor(title: string): string {
  return title === 'an event stream' ? '/__admin/events' : '/__admin/state'
}

const PAGE = '<!doctype html><html lang="en"><title>Prizes</title><link rel="icon" href="data:,"><h1>You have won</h1>'

/** Fetches the URLs in the messages of pages, and sends back the text. */
const WORKER = `
addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('message', ({ data: [address, init], ports: [port] }) => {
  fetch(address, init).then((response) => response.text()).then((text) => port.postMessage(text), (error) => port.postMessage(String(error)))
})`

/** A site that allows every page of other origins to read everything. */
async function openSite(received: string[]): Promise<Site> {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    const to = searchParams.get('to') ?? ''
    if (pathname === '/') return send(response, 'text/html', PAGE)
    if (pathname === '/worker.js') return send(response, 'text/javascript', WORKER)
    if (pathname === '/hop') return void response.writeHead(307, { ...careless(request), Location: to }).end()
    if (pathname === '/report') {
      const policy = { 'Content-Security-Policy': `img-src 'none'; report-uri ${to}` }
      return send(response, 'text/html', '<!doctype html><img alt="" src="/x">', policy)
    }
    if (pathname !== ICON) received.push(`${request.method} ${request.url} ${await text(request)}`)
    respondCarelessly(request, response)
  })
  server.on('upgrade', (request, socket) => {
    received.push(`GET ${request.url} `)
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const accept = createHash('sha1').update(key).digest('base64')
    const head = [
      'HTTP/1.1 101 Welcome',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Accept: ${accept}`,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    socket.write(Buffer.from([0x81, SECRET.length, ...Buffer.from(SECRET)]))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Every permission that a server can give to pages of other origins. */
function careless({ headers }: IncomingMessage): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': headers.origin ?? '*',
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Allow-Methods': headers['access-control-request-method'] ?? 'GET',
    'Access-Control-Allow-Headers': headers['access-control-request-headers'] ?? 'content-type',
  }
}

/** Depending on how the browser will use the response. */
const TREASURES: Readonly<Record<string, readonly [type: string, content: string]>> = {
  script: ['text/javascript', `globalThis.seen = '${SECRET}'`],
  style: ['text/css', `:root { --seen: ${SECRET} }`],
  image: ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="5"/>'],
  json: ['application/json', JSON.stringify(SECRET)],
}

function respondCarelessly(request: IncomingMessage, response: ServerResponse): void {
  const { accept, 'sec-fetch-dest': destination } = request.headers
  const streamed = accept === 'text/event-stream' ? (['text/event-stream', `data: ${SECRET}\n\n`] as const) : undefined
  const [type, content] = streamed ?? TREASURES[String(destination)] ?? ['text/html', `<p>${SECRET}`]
  send(response, type, content, careless(request))
}

function send(response: ServerResponse, type: string, content: string, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store', ...headers }).end(content)
}
