import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { MockError } from '../../../engine/contract/errors.js'
import { machineDate } from '../../../lib/clock.js'
import { quote } from '../../../lib/quote.js'
import type { ServerSettings } from '../options.js'
import { type Certificate, orUndefined, splitPem } from './certificate.js'

interface GivenFiles {
  readonly certificate: Certificate | undefined
  /** PEM. */
  readonly clientCa: string | undefined
}

/** Reads the files that are given, and checks that a server can use them. */
export function readCertificateFiles({
  httpsCert,
  httpsKey,
  httpsPassphrase,
  httpsClientCa,
}: ServerSettings): GivenFiles {
  const clientCa = httpsClientCa === undefined ? undefined : readCertificate(httpsClientCa).pem
  if (httpsCert === undefined || httpsKey === undefined) return { certificate: undefined, clientCa }
  const { pem: cert, certificate } = readCertificate(httpsCert)
  const key = readFile(httpsKey)
  if (!certificate.checkPrivateKey(parseKey(httpsKey, key, httpsPassphrase))) {
    throw invalid(`The key ${quote(httpsKey)} does not belong to the certificate ${quote(httpsCert)}.`)
  }
  const context = { cert, key, ...(httpsPassphrase !== undefined && { passphrase: httpsPassphrase }) }
  if (orUndefined(() => createSecureContext(context)) === undefined) {
    throw invalid(`The certificate ${quote(httpsCert)} cannot be used. Its key may be too short.`)
  }
  return { certificate: { cert, key, passphrase: httpsPassphrase, file: httpsCert }, clientCa }
}

function readFile(file: string): string {
  // It may be a key, so it is not repeated.
  if (file.includes('-----BEGIN')) throw invalid('Expected the path of a PEM file. Received: the content of one.')
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException
    throw invalid(`Cannot read ${quote(file)}: ${REASONS[code] ?? code}.`)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
}

/** Throws if the file has no certificate, or if it is not valid today. */
export function readCertificate(file: string): { pem: string; certificate: X509Certificate } {
  const pem = readFile(file)
  const certificate = orUndefined(() => new X509Certificate(pem))
  if (certificate === undefined) throw invalid(`${quote(file)} does not contain a certificate in PEM format.`)
  const blocks = splitPem(pem).filter((block) => block.includes('CERTIFICATE-----'))
  const damaged = blocks.findIndex((block) => orUndefined(() => new X509Certificate(block)) === undefined)
  if (damaged >= 0) throw invalid(`Certificate ${damaged + 1} in ${quote(file)} is damaged.`)
  const now = machineDate.now()
  const { validFrom, validTo } = certificate
  if (Date.parse(validTo) < now) throw invalid(`The certificate ${quote(file)} expired on ${toDay(validTo)}.`)
  if (Date.parse(validFrom) > now)
    throw invalid(`The certificate ${quote(file)} is valid only from ${toDay(validFrom)}.`)
  return { pem, certificate }
}

function parseKey(file: string, pem: string, passphrase: string | undefined): KeyObject {
  const key = orUndefined(() => createPrivateKey({ key: pem, ...(passphrase !== undefined && { passphrase }) }))
  if (key) return key
  if (!/ENCRYPTED/.test(pem)) throw invalid(`${quote(file)} does not contain a private key in PEM format.`)
  const problem = passphrase === undefined ? 'needs a passphrase' : 'has another passphrase'
  throw invalid(`The key ${quote(file)} ${problem}. Set it with PETSTORE_HTTPS_PASSPHRASE (httpsPassphrase).`)
}

function toDay(date: string): string {
  return new Date(date).toISOString().slice(0, 10)
}

function invalid(message: string): MockError {
  return new MockError('INVALID_CERTIFICATE', message)
}
