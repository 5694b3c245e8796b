import type { ServerSettings } from '../options.js'
import { readCertificateFiles } from './certificate-files.js'
import { loadOwnCertificate } from './own-certificate.js'

/** What a TLS server needs to prove its name, and to check those of its clients. */
export interface Certificate {
  /** PEM, with the certificates that it depends on. */
  readonly cert: string
  readonly key: string
  readonly passphrase?: string | undefined
  /** The file of `cert`, if there is one. */
  readonly file: string | undefined
  /** The certificate that signs those of clients (PEM), if they need one. */
  readonly clientCa?: string | undefined
}

/** The given files, or else a certificate that the server makes itself. */
export async function loadCertificate(settings: ServerSettings): Promise<Certificate> {
  const { clientCa, ...given } = readCertificateFiles(settings)
  const certificate = given.certificate ?? (await loadOwnCertificate(settings))
  return { ...certificate, clientCa }
}
