import { expect, it } from 'vitest'
import { createClient, shop } from '../support/client.js'
import { shareServer } from './share-server.js'

const server = await shareServer({ fixtures: shop([{ id: 1, name: 'Rex' }]) })
const SCRIPT = '<script>fetch("/__admin/reset", { method: "POST" })</script>'

async function policyOf(headers: Record<string, string>): Promise<string | null> {
  const api = createClient(server)
  const override = { operation: 'getPet', raw: true, status: 502, headers, body: SCRIPT, times: 1 }
  expect((await api.post('/__admin/overrides', override)).status).toBe(201)
  const response = await server.fetch('/pets/1')
  expect(await response.text()).toBe(SCRIPT)
  return response.headers.get('content-security-policy')
}

it.each([
  'text/html',
  'TEXT/HTML; charset=utf-8',
  'application/xhtml+xml',
  'image/svg+xml',
  'text/xml',
  'application/xml',
  // Browsers use the last of several types, and guess an unknown one.
  'text/plain, text/html',
  'text/plain;, text/html',
  'unknown/unknown',
  '*/*',
])('keeps browsers from running scripts of a raw override: %s', async (type) => {
  expect(await policyOf({ 'Content-Type': type })).toBe('sandbox')
})

it('adds to the policy of the override, which may allow scripts', async () => {
  const headers = { 'Content-Type': 'text/html', 'content-security-policy': "script-src 'unsafe-inline'" }
  expect(await policyOf(headers)).toBe("script-src 'unsafe-inline', sandbox")
})

it.each(['text/plain;charset=utf-8', 'application/json', 'application/octet-stream'])(
  'adds no policy to what browsers do not run: %s',
  async (type) => {
    expect(await policyOf({ 'Content-Type': type })).toBeNull()
  },
)

it('applies to overrides that a test has added in process, too', async () => {
  const html = { status: 502, headers: { 'Content-Type': 'text/html' }, body: SCRIPT }
  server.petstore.override('getPet', html, { raw: true })
  expect((await server.fetch('/pets/1')).headers.get('content-security-policy')).toBe('sandbox')
  expect(server.petstore.journal.entries()[0]?.response.headers).not.toHaveProperty('content-security-policy')
})
