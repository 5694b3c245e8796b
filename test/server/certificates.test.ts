import { X509Certificate } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type PetstoreServer, type ServerOptions, startServer } from '../../src/adapters/server/index.js'
import { makeCertificate } from '../../src/adapters/server/tls/make-certificate.js'
import { MockError } from '../../src/index.js'
import { encryptKey, makeFolder, makeShortCertificate, useEmptyCache, writeIn } from '../support/certificates.js'
import { shop } from '../support/client.js'
import { openSession, request } from '../support/http2-client.js'

const SHOP = { port: 0, fixtures: shop([{ id: 1, name: 'Rex' }]), https: true }
const LOOPBACK = ['localhost', '127.0.0.1', '::1']
const DAY_MS = 86_400_000
const DAMAGED = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'

async function open(options: ServerOptions = {}) {
  const server = await startServer({ ...SHOP, ...options })
  onTestFinished(() => server.close())
  return server
}

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)

function store(folder: string, { cert, key }: { cert: string; key: string }): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'localhost-key.pem'), key + cert)
}

describe('without files', () => {
  it('keeps a certificate in the cache folder, which only the user can read, and uses it again', async () => {
    const folder = useEmptyCache()
    const one = await open()
    expect(one.certificateFile).toBe(join(folder, 'localhost.pem'))
    expect(readFileSync(join(folder, 'localhost.pem'), 'utf8')).toBe(one.certificate)
    expect(one.certificate).not.toContain('PRIVATE KEY')
    expect([modeOf(folder), modeOf(join(folder, 'localhost-key.pem'))]).toEqual(['700', '600'])
    const { ca, subjectAltName, validTo } = new X509Certificate(one.certificate ?? '')
    expect(ca).toBe(false)
    expect(subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1')
    expect(Date.parse(validTo) - Date.now()).toBeLessThan(398 * DAY_MS)
    expect((await open()).certificate).toBe(one.certificate)
    expect((await request(openSession(one), '/pets/1')).status).toBe(200)
  })

  it('makes another one if a name is missing, which has the earlier names, too', async () => {
    useEmptyCache()
    const [first, second, third] = [
      await open({ allowHost: ['a.test'] }),
      await open({ allowHost: ['b.test', '[2001:db8::1]'] }),
      await open({ allowHost: ['a.test'] }),
    ]
    expect(second.certificate).not.toBe(first.certificate)
    expect(third.certificate).toBe(second.certificate)
    const certificate = new X509Certificate(second.certificate ?? '')
    for (const name of ['localhost', 'a.test', 'b.test']) expect(certificate.checkHost(name)).toBe(name)
    expect(certificate.checkIP('2001:db8::1')).toBe('2001:db8::1')
  })

  it.each([
    ['expires within a week', async () => makeCertificate(LOOPBACK, Date.now() - 359 * DAY_MS)],
    ['has expired', async () => makeCertificate(LOOPBACK, Date.now() - 800 * DAY_MS)],
    [
      'does not belong to its key',
      async () => ({ ...(await makeCertificate(LOOPBACK)), key: (await makeCertificate(LOOPBACK)).key }),
    ],
    ['is damaged', async () => ({ cert: 'damaged', key: '' })],
  ])('makes another one if the stored one %s', async (_, make) => {
    const folder = useEmptyCache()
    const stored = await make()
    store(folder, stored)
    const server = await open()
    expect(server.certificate).not.toBe(stored.cert)
    expect((await request(openSession(server), '/pets/1')).status).toBe(200)
    expect((await open()).certificate).toBe(server.certificate)
  })

  it('uses a stored one that is valid for longer than a week', async () => {
    const stored = await makeCertificate(LOOPBACK, Date.now() - 350 * DAY_MS)
    store(useEmptyCache(), stored)
    expect((await open()).certificate).toBe(stored.cert)
  })

  it('keeps it in memory if nothing can be written', async () => {
    const folder = useEmptyCache()
    // A file where the folder should be. Permissions would not stop an administrator.
    writeFileSync(folder, '')
    const server = await open()
    expect(server.certificateFile).toBeUndefined()
    expect((await request(openSession(server), '/pets/1')).status).toBe(200)
  })

  it('keeps it in memory if the user has no home folder', async () => {
    for (const name of ['XDG_CACHE_HOME', 'LOCALAPPDATA']) vi.stubEnv(name, '')
    onTestFinished(() => void vi.unstubAllEnvs())
    const homedir = vi.spyOn(os, 'homedir').mockImplementation(() => {
      throw new Error('uv_os_homedir returned ENOENT')
    })
    syncBuiltinESMExports()
    onTestFinished(() => {
      homedir.mockRestore()
      syncBuiltinESMExports()
    })
    expect((await open()).certificateFile).toBeUndefined()
    useEmptyCache()
    expect((await open()).certificateFile).toBeDefined()
  })

  it('gives servers that start at the same moment the same one', async () => {
    const folder = useEmptyCache()
    const servers = await Promise.all(Array.from({ length: 4 }, () => open()))
    for (const server of servers) expect((await request(openSession(server), '/pets/1')).status).toBe(200)
    expect(new Set(servers.map(({ certificate }) => certificate)).size).toBe(1)
    expect(readdirSync(folder).sort()).toEqual(['localhost-key.pem', 'localhost.pem'])
  })

  it('keeps those of running servers in the file for clients, the newest first', async () => {
    useEmptyCache()
    const servers = [await open(), await open({ allowHost: ['a.test'] }), await open({ allowHost: ['b.test'] })]
    const file = servers[0]?.certificateFile ?? ''
    const certificates = servers.map(({ certificate = '' }) => certificate)
    expect(readFileSync(file, 'utf8')).toBe(certificates.toReversed().join(''))
    for (const { port } of servers) {
      const session = openSession({ port, certificate: readFileSync(file, 'utf8') } as PetstoreServer)
      expect((await request(session, '/pets/1')).status).toBe(200)
    }
  })

  it('drops expired and damaged ones from the file for clients', async () => {
    const folder = useEmptyCache()
    const { cert } = await makeCertificate(LOOPBACK, Date.now() - 800 * DAY_MS)
    mkdirSync(folder)
    writeIn(folder, 'localhost.pem', cert + DAMAGED)
    const { certificate } = await open()
    expect(readFileSync(join(folder, 'localhost.pem'), 'utf8')).toBe(certificate)
  })

  it('changes nothing if the server cannot listen', async () => {
    const folder = useEmptyCache()
    const { port, certificate } = await open()
    const before = readFileSync(join(folder, 'localhost-key.pem'), 'utf8')
    await expect(open({ port, allowHost: ['new.test'] })).rejects.toThrow('the port is in use')
    expect(readFileSync(join(folder, 'localhost-key.pem'), 'utf8')).toBe(before)
    expect(readFileSync(join(folder, 'localhost.pem'), 'utf8')).toBe(certificate)
    const { subjectAltName } = new X509Certificate((await open({ allowHost: ['b.test'] })).certificate ?? '')
    expect(subjectAltName).not.toContain('new.test')
  })

  it('restricts the folder and the key again if others were allowed to read them', async () => {
    const folder = useEmptyCache()
    await open()
    chmodSync(folder, 0o755)
    chmodSync(join(folder, 'localhost-key.pem'), 0o644)
    await open()
    expect([modeOf(folder), modeOf(join(folder, 'localhost-key.pem'))]).toEqual(['700', '600'])
  })
})

describe('with files', () => {
  let made: { cert: string; key: string }
  beforeAll(async () => {
    made = await makeCertificate(LOOPBACK)
  })

  const write = (name: string, text: string) => writeIn(makeFolder(), name, text)

  it('uses them, and a passphrase', async () => {
    const httpsCert = write('cert.pem', made.cert)
    const plain = await open({ httpsCert, httpsKey: write('key.pem', made.key) })
    const encrypted = await open({
      httpsCert,
      httpsKey: write('key.pem', encryptKey(made.key, 'open')),
      httpsPassphrase: 'open',
    })
    expect(plain.certificateFile).toBe(httpsCert)
    for (const server of [plain, encrypted]) expect((await request(openSession(server), '/pets/1')).status).toBe(200)
  })

  it.each<[string, () => Promise<ServerOptions> | ServerOptions, RegExp]>([
    [
      'a key of another certificate',
      async () => ({ httpsKey: write('key.pem', (await makeCertificate(LOOPBACK)).key) }),
      /^The key ".+key\.pem" does not belong to the certificate ".+cert\.pem"\.$/,
    ],
    [
      'an expired certificate',
      async () => ({ httpsCert: write('old.pem', (await makeCertificate(LOOPBACK, 0)).cert) }),
      /^The certificate ".+old\.pem" expired on 1971-01-01\.$/,
    ],
    [
      'a certificate of the future',
      async () => ({ httpsCert: write('new.pem', (await makeCertificate(LOOPBACK, Date.now() + 9 * DAY_MS)).cert) }),
      /^The certificate ".+new\.pem" is valid only from \d{4}-\d\d-\d\d\.$/,
    ],
    [
      'no certificate',
      () => ({ httpsCert: write('a.pem', 'a') }),
      /^".+a\.pem" does not contain a certificate in PEM format\.$/,
    ],
    [
      'a missing file',
      () => ({ httpsCert: '/nope/cert.pem' }),
      /^Cannot read "\/nope\/cert\.pem": the file does not exist\.$/,
    ],
    [
      'a key without its passphrase',
      () => ({ httpsKey: write('key.pem', encryptKey(made.key, 'open')) }),
      /^The key ".+key\.pem" needs a passphrase\. Set it with PETSTORE_HTTPS_PASSPHRASE \(httpsPassphrase\)\.$/,
    ],
    [
      'a wrong passphrase',
      () => ({ httpsKey: write('key.pem', encryptKey(made.key, 'open')), httpsPassphrase: 'sesame' }),
      /^The key ".+key\.pem" has another passphrase\. Set it with PETSTORE_HTTPS_PASSPHRASE \(httpsPassphrase\)\.$/,
    ],
    [
      'a key instead of its path',
      () => ({ httpsKey: made.key }),
      /^Expected the path of a PEM file\. Received: the content of one\.$/,
    ],
    [
      'a certificate that depends on a damaged one',
      () => ({ httpsCert: write('chain.pem', made.cert + DAMAGED) }),
      /^Certificate 2 in ".+chain\.pem" is damaged\.$/,
    ],
    [
      'a key that is too short',
      async () => {
        const { cert, key } = await makeShortCertificate()
        return { httpsCert: write('cert.pem', cert), httpsKey: write('key.pem', key) }
      },
      /^The certificate ".+cert\.pem" cannot be used\. Its key may be too short\.$/,
    ],
    [
      'a client authority that is none',
      () => ({ httpsClientCa: write('ca.pem', 'a') }),
      /^".+ca\.pem" does not contain/,
    ],
  ])('rejects %s in one line', async (_, options, message) => {
    const valid = { httpsCert: write('cert.pem', made.cert), httpsKey: write('key.pem', made.key) }
    const error = await startServer({ ...SHOP, ...valid, ...(await options()) }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(MockError)
    expect((error as MockError).code).toBe('INVALID_CERTIFICATE')
    expect((error as MockError).message).toMatch(message)
    expect((error as MockError).message).not.toContain('sesame')
  })

  it.runIf(process.getuid?.() !== 0)('rejects a file that it may not read', async () => {
    const httpsKey = write('key.pem', made.key)
    chmodSync(httpsKey, 0o000)
    await expect(startServer({ ...SHOP, httpsCert: write('cert.pem', made.cert), httpsKey })).rejects.toThrow(
      'permission denied',
    )
  })

  it.each<[ServerOptions, string]>([
    [{ https: true, httpsCert: 'a.pem' }, 'Option "httpsCert" requires the option "httpsKey".'],
    [{ https: false, httpsCert: 'a.pem', httpsKey: 'b.pem' }, 'Option "httpsCert" requires the option "https".'],
    [{ httpsPassphrase: 'sesame' }, 'Option "httpsPassphrase" requires the option "httpsKey".'],
    [
      { httpsPassphrase: 123 as never },
      'Option "httpsPassphrase" must be a string. Received: a value that is not shown.',
    ],
  ])('rejects %o', async (options, message) => {
    await expect(startServer({ ...SHOP, ...options })).rejects.toThrow(message)
  })
})
