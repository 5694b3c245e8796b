import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import type { RequestRecord, ServerOptions } from '../../src/adapters/server/index.js'
import { findChromium } from './chromium.js'
import { shop } from './client.js'
import { openServer } from './raw-connection.js'

/** Stands in everything the victim has, and in every answer of the careless site. */
export const SECRET = 'kept-from-strangers'

/** Names that lead to this machine, although they are not its own. */
const STRANGE_NAMES = ['evil.example', 'rebind.example']

/** Runs in a page, and gives back what the page could see. */
export type Act<Given> = (given: Given) => Promise<unknown>

interface Site {
  readonly port: number
  close(): void
}

export interface Attackers {
  /** A page of the site under one of its names: a stranger, unless it is one of this machine's own. */
  open(host?: string): Promise<Page>
  /** A page at any address. */
  visit(address: string): Promise<Page>
  /** The site under one of its names. */
  origin(host?: string): string
  /** What was sent to the site besides asking for its pages: what an attack does to a server that does not mind. */
  readonly received: string[]
}

/** For a file of tests: one browser, and one site that it knows under many names. */
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
      `--host-resolver-rules=${STRANGE_NAMES.map((name) => `MAP ${name} 127.0.0.1`).join()}`,
      // As if it were served over HTTPS, as most pages are: only such a page has service workers.
      `--unsafely-treat-insecure-origin-as-secure=${origin()}`,
    ]
    browser = await chromium.launch({ executablePath: findChromium() ?? '', args })
    context = await browser.newContext()
  })
  afterAll(async () => {
    await browser?.close()
    site?.close()
  })

  /** One page for all: it is what takes the time. */
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

/** A mock that somebody works with, while a page of somebody else is open in the same browser. */
export interface Victim {
  readonly port: number
  readonly url: string
  /** What has reached it since it is there, and what was said to it: `GET /pets 403`. */
  readonly asked: string[]
  /** Whatever happens meanwhile, everything in it stays as it is, up to the last use of every sandbox. */
  unharmed<Result>(act: () => Promise<Result>): Promise<Result>
  fetch(path: string, init?: RequestInit): Promise<Response>
}

const CONTROL = ['state', 'faults', 'sandboxes', 'snapshots', 'clock']

/** What Chromium asks for by itself where a window shows an answer. */
const ICON = '/favicon.ico'

/** Two sandboxes, the most there may be, a fault for the next request, a snapshot and a journal. */
export async function openVictim(options: ServerOptions = {}): Promise<Victim> {
  const asked: string[] = []
  const onRequest = ({ method, target, status }: RequestRecord) => {
    if (target !== ICON) asked.push(`${method} ${target} ${status}`)
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
  for (const name of ['first', SECRET]) petstore.sandboxes.get(name).data.pets.create({ name: SECRET, categoryId: 1 })

  async function picture(): Promise<string[]> {
    const answers = CONTROL.map(async (path) => {
      const answer = await petstore.fetch(`http://localhost/__admin/${path}`)
      expect(answer.status).toBe(200)
      return `${path}: ${await answer.text()}`
    })
    const journal = petstore.journal.entries().filter(({ path }) => path !== ICON)
    return [...(await Promise.all(answers)), ...journal.map(({ method, path }) => `${method} ${path}`)]
  }

  async function unharmed<Result>(act: () => Promise<Result>): Promise<Result> {
    const before = await picture()
    const result = await act()
    expect(await picture()).toStrictEqual(before)
    return result
  }

  return { port, url: `http://127.0.0.1:${port}`, asked, unharmed, fetch }
}

/** What an act could see: what it gives back, or how it failed. It knows nothing but its argument: it runs in the page. */
export function seenBy<Given>(page: Page, act: Act<Given>, given: Given): Promise<string> {
  return page.evaluate(act as Act<unknown>, given).then(String, String)
}

const PAGE = '<!doctype html><html lang="en"><title>Prizes</title><link rel="icon" href="data:,"><h1>You have won</h1>'

/** Does what pages ask of it in messages, and says what it has read. */
const WORKER = `
addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('message', ({ data: [address, init], ports: [port] }) => {
  fetch(address, init).then((answer) => answer.text()).then((text) => port.postMessage(text), (error) => port.postMessage(String(error)))
})`

/** Shows its pages to everybody and gives all it has to whoever asks. */
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
    answerCarelessly(request, response)
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

/** Every permission that a server can give to pages of others. */
function careless({ headers }: IncomingMessage): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': headers.origin ?? '*',
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Allow-Methods': headers['access-control-request-method'] ?? 'GET',
    'Access-Control-Allow-Headers': headers['access-control-request-headers'] ?? 'content-type',
  }
}

/** By what the browser is going to do with it. */
const TREASURES: Readonly<Record<string, readonly [type: string, content: string]>> = {
  script: ['text/javascript', `globalThis.seen = '${SECRET}'`],
  style: ['text/css', `:root { --seen: ${SECRET} }`],
  image: ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="5"/>'],
  json: ['application/json', JSON.stringify(SECRET)],
}

function answerCarelessly(request: IncomingMessage, response: ServerResponse): void {
  const { accept, 'sec-fetch-dest': destination } = request.headers
  const streamed = accept === 'text/event-stream' ? (['text/event-stream', `data: ${SECRET}\n\n`] as const) : undefined
  const [type, content] = streamed ?? TREASURES[String(destination)] ?? ['text/html', `<p>${SECRET}`]
  send(response, type, content, careless(request))
}

function send(response: ServerResponse, type: string, content: string, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store', ...headers }).end(content)
}
