import { X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { makeCertificate } from '../../src/adapters/server/tls/make-certificate.js'
import { createTrustingFetch } from '../../src/cli/trusting-fetch.js'
import { encryptKey, makeFolder, useEmptyCache, writeIn } from '../support/certificates.js'
import { endCommands, readyEventOf, runCommand, spawnCommand, startCommand, stop } from '../support/command.js'
import { serve } from '../support/serve.js'

afterEach(endCommands)

const HTTPS = ['--port', '0', '--scenario', 'single', '--https']

interface HttpsEvent {
  readonly url: string
  readonly httpUrl: string
  readonly certificate: { readonly file: string; readonly sha256: string }
}

describe('--https', () => {
  it('prints both addresses, the certificate, its fingerprint and how to trust it, and no key', async () => {
    useEmptyCache()
    const command = startCommand(HTTPS)
    const [, url, httpUrl, file = ''] = await command.printed(
      / {2}API {8}(https:\S+)\n {2}HTTP {7}(http:\S+)\n[\s\S]* {2}Cert {7}(\S+)\n[\s\S]* {2}Try [^\n]+\n/,
    )
    expect(httpUrl).toBe(url?.replace('https', 'http'))
    const { fingerprint256 } = new X509Certificate(readFileSync(file))
    await command.printed(new RegExp(` {2}SHA-256 {4}${fingerprint256}\n`))
    await command.printed(/ {2}Trust it {3}NODE_EXTRA_CA_CERTS='[^']+', curl --cacert '[^']+', or use mkcert/)
    const { stdout, stderr } = await stop(command)
    expect(stdout + stderr).not.toContain('PRIVATE KEY')
  })

  it('prints the same as JSON', async () => {
    const folder = useEmptyCache()
    const { url, httpUrl, certificate } = await readyEventOf<HttpsEvent>(
      startCommand([...HTTPS, '--log-format', 'json']),
    )
    expect([new URL(url).protocol, new URL(httpUrl).protocol]).toEqual(['https:', 'http:'])
    expect(certificate).toEqual({
      file: `${folder}/localhost.pem`,
      sha256: new X509Certificate(readFileSync(`${folder}/localhost.pem`)).fingerprint256,
      isOwn: true,
    })
  })

  it('says in one line that the certificate is in no file', async () => {
    writeFileSync(useEmptyCache(), '')
    await startCommand(HTTPS).printed(/\n {2}Cert {7}in no file: the cache folder is not writable\n/)
  })

  it('reads the passphrase from the environment only, and fails with one line and exit code 1', async () => {
    const { cert, key } = await makeCertificate(['localhost', '127.0.0.1'])
    const folder = makeFolder()
    const files = [
      ['--https-cert', writeIn(folder, 'cert.pem', cert)],
      ['--https-key', writeIn(folder, 'key.pem', encryptKey(key, 'open'))],
    ].flat()
    const ready = await readyEventOf<HttpsEvent>(
      startCommand([...HTTPS, ...files, '--log-format', 'json'], { PETSTORE_HTTPS_PASSPHRASE: 'open' }),
    )
    expect(ready.certificate).toMatchObject({ file: `${folder}/cert.pem`, isOwn: false })
    const failed = await runCommand([...HTTPS, ...files], { PETSTORE_HTTPS_PASSPHRASE: 'sesame' })
    expect(failed).toMatchObject({ code: 1, stdout: '' })
    expect(failed.stderr).toMatch(/^petstore-mock: The key "[^"]+" has another passphrase\. [^\n]+\n$/)
    expect(failed.stderr).not.toContain('sesame')
    expect(await runCommand([...HTTPS, '--https-passphrase', 'open'])).toMatchObject({ code: 2 })
  })
})

describe('verify --ca', () => {
  it('trusts the certificate, and says what to do without it', async () => {
    useEmptyCache()
    // In processes of their own: hundreds of requests over TLS, whatever else this process has open.
    const { url, certificate } = await readyEventOf<HttpsEvent>(spawnCommand([...HTTPS, '--log-format', 'json']))
    const refused = await spawnCommand(['verify', url]).ended()
    expect(refused.code).toBe(1)
    expect(refused.stderr).toBe(
      `petstore-mock: ${url} does not respond: its certificate is not trusted; name the certificate that signed it with --ca <file>\n`,
    )
    const trusted = await spawnCommand(['verify', url, '--ca', certificate.file, '--read-only']).ended()
    expect(trusted.stdout).toMatch(/\d+ passed, 0 failed/)
    expect(trusted).toMatchObject({ code: 0, stderr: '' })
  })

  it('does the same for pull', async () => {
    useEmptyCache()
    const { url, certificate } = await readyEventOf<HttpsEvent>(startCommand([...HTTPS, '--log-format', 'json']))
    const refused = await runCommand(['pull', url])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toBe(
      `petstore-mock: GET ${url}/categories: its certificate is not trusted; name the certificate that signed it with --ca <file>\n`,
    )
    const trusted = await runCommand(['pull', url, '--ca', certificate.file])
    expect(trusted.stderr).toMatch(/^petstore-mock: Wrote [^\n]+\n$/)
    expect(trusted.code).toBe(0)
  })

  it('fails with one line if the file is not a certificate', async () => {
    const file = writeIn(makeFolder(), 'ca.pem', 'a')
    const { code, stderr } = await runCommand(['verify', 'https://localhost:1', '--ca', file])
    expect([code, stderr]).toEqual([1, `petstore-mock: "${file}" does not contain a certificate in PEM format.\n`])
  })
})

describe('--ca', () => {
  it('reports a response with a status that does not exist in one line', async () => {
    const { cert, key } = await makeCertificate(['localhost'])
    const server = createServer({ cert, key }, (_request, response) => {
      response.socket?.end('HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n')
    })
    const url = (await serve(server)).replace('http://127.0.0.1', 'https://localhost')
    const ca = writeIn(makeFolder(), 'ca.pem', cert)
    for (const command of ['verify', 'pull']) {
      const { code, stderr } = await runCommand([command, url, '--ca', ca])
      expect([code, stderr.split('\n').length]).toEqual([1, 2])
      expect(stderr).toMatch(/^petstore-mock: .*must be in the range of 200 to 599/)
    }
  })

  it('does not replace the certificates of NODE_EXTRA_CA_CERTS', async () => {
    useEmptyCache()
    const { url, certificate } = await readyEventOf<HttpsEvent>(startCommand([...HTTPS, '--log-format', 'json']))
    const { cert } = await makeCertificate(['other.test'])
    const send = createTrustingFetch(writeIn(makeFolder(), 'ca.pem', cert))
    await expect(send(url, {})).rejects.toThrow('self-signed certificate')
    vi.stubEnv('NODE_EXTRA_CA_CERTS', certificate.file)
    const trusting = createTrustingFetch(writeIn(makeFolder(), 'ca.pem', cert))
    expect((await trusting(`${url}/pets/1`, {})).status).toBe(200)
  })
})
