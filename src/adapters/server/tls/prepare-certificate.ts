import type { ServerSettings } from '../options.js'
import type { Certificate } from './certificate.js'
import { readCertificateFiles } from './certificate-files.js'
import { loadOwnCertificate } from './own-certificate.js'

/** The given files, or else a certificate that the server makes itself. */
export async function loadCertificate(settings: ServerSettings): Promise<Certificate> {
  const { clientCa, ...given } = readCertificateFiles(settings)
  const certificate = given.certificate ?? (await loadOwnCertificate(settings))
  return { ...certificate, clientCa }
}
