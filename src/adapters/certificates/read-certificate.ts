import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { MockError } from '../../engine/contract/errors.js'
import { machineDate } from '../../lib/clock.js'
import { orElse } from '../../lib/or-else.js'
import { quote } from '../../lib/quote.js'

/** The parts of a PEM file, each of them a certificate or a key. */
export function splitPem(text: string): string[] {
  return text.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----(?:\r?\n)?/g) ?? []
}

export function readPemFile(file: string): string {
  // It may be a key, so it is not repeated.
  if (file.includes('-----BEGIN'))
    throw invalidCertificate('Expected the path of a PEM file. Received: the content of one.')
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException
    throw invalidCertificate(`Cannot read ${quote(file)}: ${REASONS[code] ?? code}.`)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EISDIR: 'it is a folder',
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
