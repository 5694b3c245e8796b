import { createPrivateKey, webcrypto } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { onTestFinished, vi } from 'vitest'

/** A folder that is removed when the running test ends. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-mock-tls-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Gives the running test an empty cache folder. Returns the folder that the mock uses in it. */
export function useEmptyCache(): string {
  const folder = makeFolder()
  vi.stubEnv('XDG_CACHE_HOME', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  return join(folder, 'petstore-mock')
}

export function writeIn(folder: string, name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

export function encryptKey(key: string, passphrase: string): string {
  const encrypted = createPrivateKey(key).export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase })
  return encrypted.toString()
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** A certificate whose key is so short that OpenSSL refuses it. */
export async function makeShortCertificate() {
  const crypto = webcrypto as Crypto
  cryptoProvider.set(crypto)
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 512, publicExponent: Buffer.from([3]) }
  const keys = (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair
  const certificate = await X509CertificateGenerator.createSelfSigned({ name: 'CN=Short', keys })
  return { cert: certificate.toString('pem'), key: await exportKey(keys.privateKey) }
}

async function exportKey(key: CryptoKey): Promise<string> {
  const text = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64')
  return `-----BEGIN PRIVATE KEY-----\n${text}\n-----END PRIVATE KEY-----\n`
}

/** A certificate that signs others, and one for a client that it has signed. */
export async function makeClientCertificate() {
  const crypto = webcrypto as Crypto
  cryptoProvider.set(crypto)
  const signer = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const client = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const ca = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Client authority',
    keys: signer,
    signingAlgorithm: ALGORITHM,
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  })
  const certificate = await X509CertificateGenerator.create({
    subject: 'CN=Client',
    issuer: ca.subject,
    publicKey: client.publicKey,
    signingKey: signer.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth])],
  })
  return { ca: ca.toString('pem'), cert: certificate.toString('pem'), key: await exportKey(client.privateKey) }
}
