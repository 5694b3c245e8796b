import { expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/adapters/server/index.js'
import { makeCertificate } from '../../src/adapters/server/tls/make-certificate.js'
import { makeFolder, useEmptyCache, writeIn } from '../support/certificates.js'

/** A service over HTTPS, whose certificate nobody knows. */
async function startService(name: string) {
  useEmptyCache()
  const { cert, key } = await makeCertificate([name])
  const folder = makeFolder()
  const files = { httpsCert: writeIn(folder, 'cert.pem', cert), httpsKey: writeIn(folder, 'key.pem', key) }
  const service = await startServer({ port: 0, https: true, ...files })
  onTestFinished(() => service.close())
  return { url: service.url, upstreamCa: files.httpsCert, journal: service.petstore.journal }
}

async function getThrough(upstream: string, upstreamCa?: string) {
  const front = await startServer({ port: 0, upstream, pass: ['*'], ...(upstreamCa && { upstreamCa }) })
  onTestFinished(() => front.close())
  const response = await fetch(`${front.url}/pets/1`)
  return { status: response.status, body: await response.json() }
}

it('an upstream with an unknown certificate is 502, which names the address and the flag, and upstreamCa trusts it', async () => {
  const { url, upstreamCa, journal } = await startService('127.0.0.1')
  const { status, body } = await getThrough(url)
  expect(status).toBe(502)
  expect(body).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', status: 502, message: expect.stringContaining(url) })
  expect(body.message).toMatch(/certificate.*--upstream-ca <file>/)
  expect(journal.total).toBe(0)
  expect(await getThrough(url, upstreamCa)).toMatchObject({ status: 200, body: { id: 1 } })
})

it('an upstream with the certificate of another host is 502, even if it is trusted', async () => {
  const { url, upstreamCa, journal } = await startService('service.example')
  const { status, body } = await getThrough(url, upstreamCa)
  expect([status, body.code]).toEqual([502, 'UPSTREAM_UNREACHABLE'])
  expect(body.message).toMatch(/certificate is for other host names/)
  expect(journal.total).toBe(0)
})
