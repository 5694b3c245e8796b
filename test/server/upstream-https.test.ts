import { createServer } from 'node:https'
import { expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/adapters/server/index.js'
import { makeCertificate } from '../../src/adapters/server/tls/make-certificate.js'
import { makeFolder, writeIn } from '../support/certificates.js'
import { serve } from '../support/serve.js'
import { sendPet } from './upstream-service.js'

/** A service over HTTPS, whose certificate nobody knows. Not our server: on Bun and Deno it has no HTTPS. */
async function startService(name: string) {
  const { cert, key } = await makeCertificate([name])
  const received: (string | undefined)[] = []
  const service = createServer({ cert, key }, (request, response) => {
    received.push(request.url)
    sendPet(request, response)
  })
  const url = (await serve(service)).replace('http:', 'https:')
  return { url, upstreamCa: writeIn(makeFolder(), 'cert.pem', cert), received }
}

async function getThrough(upstream: string, upstreamCa?: string) {
  const front = await startServer({ port: 0, upstream, pass: ['*'], ...(upstreamCa && { upstreamCa }) })
  onTestFinished(() => front.close())
  const response = await fetch(`${front.url}/pets/1`)
  return { status: response.status, body: await response.json() }
}

it('an upstream with an unknown certificate is 502, which names the address and the flag, and upstreamCa trusts it', async () => {
  const { url, upstreamCa, received } = await startService('127.0.0.1')
  const { status, body } = await getThrough(url)
  expect(status).toBe(502)
  expect(body).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', status: 502, message: expect.stringContaining(url) })
  expect(body.message).toMatch(/certificate.*--upstream-ca <file>/)
  expect(received).toEqual([])
  expect(await getThrough(url, upstreamCa)).toMatchObject({ status: 200, body: { id: 1 } })
  expect(received).toEqual(['/pets/1'])
})

it('an upstream with the certificate of another host is 502, even if it is trusted', async () => {
  const { url, upstreamCa, received } = await startService('service.example')
  const { status, body } = await getThrough(url, upstreamCa)
  expect([status, body.code]).toEqual([502, 'UPSTREAM_UNREACHABLE'])
  expect(body.message).toMatch(/certificate is for other host names/)
  expect(received).toEqual([])
})
