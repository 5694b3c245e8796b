import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { devNull, homedir, platform } from 'node:os'
import { join } from 'node:path'
import { machineDate } from '../../../lib/clock.js'
import { splitPem } from '../../certificates.js'
import { isAnyAddress, toHostName, withoutBrackets } from '../host-names.js'
import type { ServerSettings } from '../options.js'
import { type Certificate, DAY_MS, orUndefined } from './certificate.js'

interface Pair {
  readonly cert: string
  readonly key: string
}

/** Key and certificate in one file: they always belong together, however many servers start at once. */
const PAIR_FILE = 'localhost-key.pem'

/** For clients: the certificate, then earlier ones, which servers that are still running may use. */
const CERTIFICATE_FILE = 'localhost.pem'

const MAX_CERTIFICATES = 20

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '::1']

/**
 * The certificate in the user's cache folder, so that a client that trusts it still does after a restart. It is made if
 * there is none, if it expires within a week, or if a name is missing. The function that this returns stores it: call it
 * when the server is listening, because a start that fails must not replace a certificate that clients trust.
 */
export async function prepareOwnCertificate({ host, allowHost }: ServerSettings): Promise<() => Certificate> {
  const names = toNames(isAnyAddress(host) ? allowHost : [host, ...allowHost])
  const folder = cacheFolder()
  const pair = findPair(folder, names) ?? (await makePair(folder, names))
  return () => {
    const stored = storePair(folder, pair, names)
    return stored ? { ...stored, file: publish(folder, stored) } : { ...pair, file: undefined }
  }
}

async function makePair(folder: string, names: readonly string[]): Promise<Pair> {
  // The names of other servers stay. Otherwise two servers would replace each other's certificate at every start.
  const earlier = findPair(folder, [])
  const { makeCertificate } = await import('./make-certificate.js')
  return makeCertificate([...new Set([...names, ...(earlier ? namesIn(earlier) : [])])])
}

/** Returns the pair to use: one that another server has stored in the meantime, or else this one, if it can be stored. */
function storePair(folder: string, pair: Pair, names: readonly string[]): Pair | undefined {
  const store = (place: Place) => (write(folder, PAIR_FILE, pair.key + pair.cert, place) ? pair : undefined)
  // A link replaces nothing: only one of several servers that start at the same moment can create it.
  const stored = findPair(folder, names) ?? store(linkSync) ?? findPair(folder, names) ?? store(renameSync)
  succeeds(() => chmodSync(folder, 0o700))
  succeeds(() => chmodSync(join(folder, PAIR_FILE), 0o600))
  return stored
}

/** Returns the file with the certificate, unless it cannot be written. */
function publish(folder: string, { cert }: Pair): string | undefined {
  const file = join(folder, CERTIFICATE_FILE)
  const current = readText(file)
  const earlier = splitPem(current).filter((pem) => pem !== cert && isValid(pem))
  const text = [cert, ...earlier].slice(0, MAX_CERTIFICATES).join('')
  return text === current || write(folder, CERTIFICATE_FILE, text, renameSync) ? file : undefined
}

function toNames(hosts: readonly string[]): string[] {
  return [...new Set([...LOOPBACK_NAMES, ...hosts.map((host) => withoutBrackets(toHostName(host)))])]
}

function namesIn({ cert }: Pair): string[] {
  const { subjectAltName = '' } = new X509Certificate(cert)
  return toNames(subjectAltName.split(', ').map((name) => name.replace(/^(?:DNS|IP Address):/, '')))
}

/** The stored pair, if it is not damaged, has these names and is valid for a week. */
function findPair(folder: string, names: readonly string[]): Pair | undefined {
  const [key = '', cert = ''] = splitPem(readText(join(folder, PAIR_FILE)))
  if (!isValid(cert, 7)) return undefined
  const certificate = new X509Certificate(cert)
  const hasName = (name: string) => (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name))
  const isUsable = orUndefined(() => certificate.checkPrivateKey(createPrivateKey(key))) && names.every(hasName)
  return isUsable ? { cert, key } : undefined
}

function isValid(cert: string, days = 0): boolean {
  const validTo = orUndefined(() => Date.parse(new X509Certificate(cert).validTo))
  return validTo !== undefined && validTo - machineDate.now() > days * DAY_MS
}

function readText(file: string): string {
  return orUndefined(() => readFileSync(file, 'utf8')) ?? ''
}

type Place = (temporary: string, file: string) => void

/** Writes a file that only the user can read, all of it or nothing. Returns whether it could. */
function write(folder: string, name: string, text: string, place: Place): boolean {
  const file = join(folder, name)
  const temporary = `${file}.${randomUUID()}`
  const isWritten = succeeds(() => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(temporary, text, { mode: 0o600 })
    place(temporary, file)
  })
  succeeds(() => rmSync(temporary, { force: true }))
  return isWritten
}

function succeeds(act: () => void): boolean {
  return (
    orUndefined(() => {
      act()
      return true
    }) ?? false
  )
}

function cacheFolder(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  // Without a home folder, one in which nothing can be written.
  const home = orUndefined(homedir) ?? devNull
  const given = XDG_CACHE_HOME || (platform() === 'win32' && LOCALAPPDATA)
  return join(given || join(home, ...(DEFAULT_FOLDERS[platform()] ?? ['.cache'])), 'petstore-mock')
}

const DEFAULT_FOLDERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['Library', 'Caches'],
  win32: ['AppData', 'Local'],
}
