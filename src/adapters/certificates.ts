import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import { MockError } from '../http/errors.js'
import { machineDate } from '../lib/clock.js'
import { quote } from '../lib/text.js'
import { orElse } from '../lib/values.js'

/** The parts of a PEM file, each of them a certificate or a key. */
export function splitPem(text: string): string[] {
  return text.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----(?:\r?\n)?/g) ?? []
}

export function readPemFile(file: string): string {
  // It may be a key, so it is not repeated.
  if (file.includes('-----BEGIN'))
    throw invalidCertificate('Expected the path of a PEM file. Received: the content of one.')
  try {
    const stats = statSync(file)
    // A pipe or a device may never end.
    if (!stats.isFile()) throw Object.assign(new Error(), { code: stats.isDirectory() ? 'EISDIR' : 'NOT_A_FILE' })
    if (stats.size > MAX_PEM_BYTES) throw Object.assign(new Error(), { code: 'EFBIG' })
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException
    throw invalidCertificate(`Cannot read ${quote(file)}: ${REASONS[code] ?? code}.`)
  }
}

/** All certificates that a system trusts have less. */
const MAX_PEM_BYTES = 16 * 1024 * 1024

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EISDIR: 'it is a folder',
  NOT_A_FILE: 'it is not a regular file',
  EFBIG: 'it is too large',
  EACCES: 'permission denied',
}

/** Throws if the file has no certificate, or if it is not valid today. */
export function readCertificate(file: string): { pem: string; certificate: X509Certificate } {
  const pem = readPemFile(file)
  const certificate = parseCertificate(pem)
  if (certificate === undefined)
    throw invalidCertificate(`${quote(file)} does not contain a certificate in PEM format.`)
  const blocks = splitPem(pem).filter((block) => block.includes('CERTIFICATE-----'))
  const damaged = blocks.findIndex((block) => parseCertificate(block) === undefined)
  if (damaged >= 0) throw invalidCertificate(`Certificate ${damaged + 1} in ${quote(file)} is damaged.`)
  const now = machineDate.now()
  const { validFrom, validTo } = certificate
  if (Date.parse(validTo) < now)
    throw invalidCertificate(`The certificate ${quote(file)} expired on ${toDay(validTo)}.`)
  if (Date.parse(validFrom) > now)
    throw invalidCertificate(`The certificate ${quote(file)} is valid only from ${toDay(validFrom)}.`)
  return { pem, certificate }
}

const parseCertificate = (pem: string) => orElse(() => new X509Certificate(pem), undefined)

function toDay(date: string): string {
  return new Date(date).toISOString().slice(0, 10)
}

export function invalidCertificate(message: string): MockError {
  return new MockError('INVALID_CERTIFICATE', message)
}

/** The certificates that a client trusts: those that Node trusts, and the one in a file. */
export function trustedCertificates(file: string): string[] {
  return [...rootCertificates, ...extraCertificates(), readCertificate(file).pem]
}

/** Those that Node trusts in addition to its own, unless it is given a list. */
function extraCertificates(): string[] {
  try {
    return [readPemFile(process.env.NODE_EXTRA_CA_CERTS ?? '')]
  } catch {
    // If the file is missing, Node has already printed a warning.
    return []
  }
}
