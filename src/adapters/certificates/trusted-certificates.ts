import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import { readCertificate } from './read-certificate.js'

/** The certificates that a client trusts: those that Node trusts, and the one in a file. */
export function trustedCertificates(file: string): string[] {
  return [...rootCertificates, ...extraCertificates(), readCertificate(file).pem]
}

/** Those that Node trusts in addition to its own, unless it is given a list. */
function extraCertificates(): string[] {
  try {
    return [readFileSync(process.env.NODE_EXTRA_CA_CERTS ?? '', 'utf8')]
  } catch {
    // If the file is missing, Node has already printed a warning.
    return []
  }
}
