import { expect, it } from 'vitest'
import { exchange, toHttpText } from '../support/raw-connection.js'
import { PET, sendPet, startFront, startService } from './upstream-service.js'

it.each([
  [304, 'If-None-Match', '"1"'],
  [304, 'If-Modified-Since', 'Thu, 19 Nov 2026 00:00:00 GMT'],
  [206, 'Range', 'bytes=0-1'],
])('%i is a violation unless the request has %s', async (status, name, value) => {
  const { url } = await startService((_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(status === 206 ? '{"' : undefined)
  })
  const front = await startFront(url)
  await (await fetch(`${front.url}/pets/1`, { headers: { [name]: value } })).text()
  await (await fetch(`${front.url}/pets/1`)).text()
  await (await fetch(`${front.url}/pets/1`, { method: 'DELETE', headers: { [name]: value } })).text()
  expect(front.mock.journal.entries().map(({ upstream }) => upstream?.violations)).toEqual([
    undefined,
    [`Status ${status} is not declared.`],
    [`Status ${status} is not declared.`],
  ])
})

it('a body in a content coding that is not known is passed on, and not checked', async () => {
  const { url } = await startService((_request, response) => {
    const isCoded = response.req.url === '/pets/1'
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': isCoded ? 'own' : 'identity' }
    response.writeHead(200, headers).end('not JSON')
  })
  const front = await startFront(url)
  const response = await fetch(`${front.url}/pets/1`)
  expect([response.headers.get('Content-Encoding'), await response.text()]).toEqual(['own', 'not JSON'])
  await (await fetch(`${front.url}/pets/2`)).text()
  expect(front.mock.journal.entries().map(({ upstream }) => upstream?.violations)).toEqual([
    undefined,
    ['The body is not valid JSON.'],
  ])
})

it('a page of another origin may read what the mock and the upstream let it read', async () => {
  const { url } = await startService((_request, response) => {
    const headers = { 'Access-Control-Expose-Headers': 'X-Own, ETag', 'Access-Control-Allow-Origin': '*' }
    response.writeHead(200, { ...headers, 'Content-Type': 'application/json' }).end(JSON.stringify(PET))
  })
  const front = await startFront(url, { cors: ['https://app.example'] })
  const { headers } = await fetch(`${front.url}/pets/1`, { headers: { Origin: 'https://app.example' } })
  expect(headers.get('Access-Control-Allow-Origin')).toBe('https://app.example')
  expect(headers.get('Access-Control-Expose-Headers')).toMatch(/^Accept-Patch, .*, X-Total-Count, X-Own, ETag$/)
})

it.each(['/../admin', '/pets/..', '*', 'ftp://other/x', '/pets/..%2Fcategories', '/a/%2e%2E/b', '/a%5C..%5Cb'])(
  'the target %s is rejected, because it may lead outside the base URL',
  async (target) => {
    const { url, requests } = await startService((_request, response) => response.end())
    const front = await startFront(`${url}/v1`, { passUnknown: true })
    const head = [`GET ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close']
    const [response] = await exchange(front.port, toHttpText(head))
    expect([response?.status, requests.length]).toEqual([400, 0])
    expect(response?.text).toContain('cannot be passed through')
  },
)

it('dots that are no segment are passed through', async () => {
  const { url, requests } = await startService((_request, response) => response.end())
  const front = await startFront(`${url}/v1`, { passUnknown: true })
  for (const path of ['/..a', '/a..%2Fb', '/a/...']) await fetch(front.url + path)
  expect(requests.map((request) => request.url)).toEqual(['/v1/..a', '/v1/a..%2Fb', '/v1/a/...'])
})

it('browsers run no scripts of a response without a Content-Type, or with a type that they run', async () => {
  const { url } = await startService((request, response) => {
    if (request.url === '/pets/2')
      response.setHeader('Content-Type', 'text/html').setHeader('X-Content-Type-Options', 'x')
    if (request.url === '/pets/3') response.setHeader('Content-Security-Policy', "script-src 'unsafe-inline'")
    response.writeHead(request.url === '/pets/3' ? 304 : 200).end('<script>fetch("/__admin/state")</script>')
  })
  const front = await startFront(url)
  const read = async (path: string) => {
    const { headers } = await fetch(front.url + path, { headers: { 'If-None-Match': '"1"' } })
    return [headers.get('Content-Security-Policy'), headers.get('X-Content-Type-Options')]
  }
  expect(await read('/pets/1')).toEqual(['sandbox', 'nosniff'])
  expect(await read('/pets/2')).toEqual(['sandbox', 'nosniff'])
  // A browser may keep the policy for the page that it has stored.
  expect(await read('/pets/3')).toEqual(["script-src 'unsafe-inline', sandbox", 'nosniff'])
})

it.each([204, 302, 304])('a %i without a body and a Content-Type is passed on as it is', async (status) => {
  const { url } = await startService((_request, response) => response.writeHead(status).end())
  const front = await startFront(url)
  const { headers } = await fetch(`${front.url}/pets/1`, { redirect: 'manual' })
  expect([headers.get('Content-Security-Policy'), headers.get('X-Content-Type-Options')]).toEqual([null, null])
})

it.each([{ adminToken: 'own-token' }, { host: '0.0.0.0' }])(
  'the token of the admin API stays here: %j',
  async (options) => {
    const { url, requests } = await startService(sendPet)
    const front = await startFront(url, options)
    for (const token of [front.adminToken, 'that-of-the-service']) {
      const headers = { Authorization: `Bearer ${token}` }
      expect((await fetch(`http://127.0.0.1:${front.port}/pets/1`, { headers })).status).toBe(200)
    }
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer that-of-the-service'])
  },
)
