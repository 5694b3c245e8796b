import { randomUUID, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import {
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { machineDate } from '../../../lib/clock.js'
import { DAY_MS } from './certificate.js'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** Apple's systems refuse more than 825 days. */
const VALID_DAYS = 365

/** A certificate for these names, signed by its own key. It cannot sign others, so trusting it is no risk elsewhere. */
export async function makeCertificate(
  names: readonly string[],
  now = machineDate.now(),
): Promise<{ cert: string; key: string }> {
  const crypto = webcrypto as Crypto
  cryptoProvider.set(crypto)
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    // Each has its own name: of several trusted certificates with the same name, OpenSSL accepts only one.
    name: `CN=petstore-mock ${randomUUID()}`,
    // A day earlier, because the clock of another machine or container may be slow.
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(now + VALID_DAYS * DAY_MS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
      ),
    ],
  })
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  const lines = key.replaceAll(/.{1,64}/g, '$&\n')
  return {
    cert: `${certificate.toString('pem')}\n`,
    key: `-----BEGIN PRIVATE KEY-----\n${lines}-----END PRIVATE KEY-----\n`,
  }
}
