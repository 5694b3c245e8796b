import { createPrivateKey, type KeyObject } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { quote } from '../../../lib/text.js'
import { invalidCertificate as invalid, readCertificate, readPemFile } from '../../certificates.js'
import type { ServerSettings } from '../options.js'
import { type Certificate, orUndefined } from './certificate.js'
import { prepareOwnCertificate } from './own-certificate.js'

interface GivenFiles {
  readonly certificate: Certificate | undefined
  /** PEM. */
  readonly clientCa: string | undefined
}

/** Reads the files that are given, and checks that a server can use them. */
function readCertificateFiles({ httpsCert, httpsKey, httpsPassphrase, httpsClientCa }: ServerSettings): GivenFiles {
  const clientCa = httpsClientCa === undefined ? undefined : readCertificate(httpsClientCa).pem
  if (httpsCert === undefined || httpsKey === undefined) return { certificate: undefined, clientCa }
  const { pem: cert, certificate } = readCertificate(httpsCert)
  const key = readPemFile(httpsKey)
  if (!certificate.checkPrivateKey(parseKey(httpsKey, key, httpsPassphrase))) {
    throw invalid(`The key ${quote(httpsKey)} does not belong to the certificate ${quote(httpsCert)}.`)
  }
  const context = { cert, key, ...(httpsPassphrase !== undefined && { passphrase: httpsPassphrase }) }
  if (orUndefined(() => createSecureContext(context)) === undefined) {
    throw invalid(`The certificate ${quote(httpsCert)} cannot be used. Its key may be too short.`)
  }
  return { certificate: { cert, key, passphrase: httpsPassphrase, file: httpsCert }, clientCa }
}

function parseKey(file: string, pem: string, passphrase: string | undefined): KeyObject {
  const key = orUndefined(() => createPrivateKey({ key: pem, ...(passphrase !== undefined && { passphrase }) }))
  if (key) return key
  if (!/ENCRYPTED/.test(pem)) throw invalid(`${quote(file)} does not contain a private key in PEM format.`)
  const problem = passphrase === undefined ? 'needs a passphrase' : 'has another passphrase'
  throw invalid(`The key ${quote(file)} ${problem}. Set it with PETSTORE_HTTPS_PASSPHRASE (httpsPassphrase).`)
}

/** The given files, or else a certificate that the server makes itself. Call the result when the server is listening. */
export async function prepareCertificate(settings: ServerSettings): Promise<() => Certificate> {
  const { clientCa, certificate } = readCertificateFiles(settings)
  const store = certificate ? () => certificate : await prepareOwnCertificate(settings)
  return () => ({ ...store(), clientCa })
}
