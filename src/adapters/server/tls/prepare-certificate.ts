import type { ServerSettings } from '../options.js'
import type { Certificate } from './certificate.js'
import { readCertificateFiles } from './certificate-files.js'
import { prepareOwnCertificate } from './own-certificate.js'

/** The given files, or else a certificate that the server makes itself. Call the result when the server is listening. */
export async function prepareCertificate(settings: ServerSettings): Promise<() => Certificate> {
  const { clientCa, certificate } = readCertificateFiles(settings)
  const store = certificate ? () => certificate : await prepareOwnCertificate(settings)
  return () => ({ ...store(), clientCa })
}
