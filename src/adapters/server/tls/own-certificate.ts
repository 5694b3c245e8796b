import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { homedir, platform } from 'node:os'
import { join } from 'node:path'
import { machineDate } from '../../../lib/clock.js'
import { isAnyAddress } from '../host-names.js'
import type { ServerSettings } from '../options.js'
import type { Certificate } from './certificate.js'

interface Pair {
  readonly cert: string
  readonly key: string
}

/** Key and certificate in one file: they always belong together, however many servers start at once. */
const PAIR_FILE = 'localhost-key.pem'

/** Only the certificate, for clients. */
const CERTIFICATE_FILE = 'localhost.pem'

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '::1']

const WEEK_MS = 7 * 86_400_000

/**
 * The certificate in the user's cache folder, so that a client that trusts it still does after a restart. It is made if
 * there is none, if it expires within a week, or if a name is missing.
 */
export async function loadOwnCertificate({ host, allowHost }: ServerSettings): Promise<Certificate> {
  const names = toNames(isAnyAddress(host) ? allowHost : [host, ...allowHost])
  const folder = cacheFolder()
  const stored = readPair(folder)
  if (stored && isUsable(stored, names)) return { ...stored, file: publish(folder, stored) }
  // The names of other servers stay. Otherwise two servers would replace each other's certificate at every start.
  const otherNames = stored && isUsable(stored, []) ? namesIn(stored) : []
  const { makeCertificate } = await import('./make-certificate.js')
  const made = await makeCertificate([...new Set([...names, ...otherNames])])
  if (!write(folder, PAIR_FILE, made.key + made.cert)) return { ...made, file: undefined }
  // A server that was started at the same moment may have replaced it.
  const latest = readPair(folder)
  const pair = latest && isUsable(latest, names) ? latest : made
  return { ...pair, file: publish(folder, pair) }
}

function toNames(hosts: readonly string[]): string[] {
  const names = hosts.map((host) => host.toLowerCase().replaceAll(/^\[|\]$|%.*$/g, ''))
  return [...new Set([...LOOPBACK_NAMES, ...names])]
}

function isUsable({ cert }: Pair, names: readonly string[]): boolean {
  const certificate = new X509Certificate(cert)
  if (Date.parse(certificate.validTo) - machineDate.now() < WEEK_MS) return false
  return names.every((name) => (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)))
}

function namesIn({ cert }: Pair): string[] {
  const { subjectAltName = '' } = new X509Certificate(cert)
  return toNames(subjectAltName.split(', ').map((name) => name.replace(/^(?:DNS|IP Address):/, '')))
}

/** Undefined if there is none, or if it is damaged. */
function readPair(folder: string): Pair | undefined {
  try {
    const text = readFileSync(join(folder, PAIR_FILE), 'utf8')
    const [key = '', cert = ''] = text.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----\n/g) ?? []
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)) ? { cert, key } : undefined
  } catch {
    return undefined
  }
}

/** Returns the file with the certificate, unless it cannot be written. */
function publish(folder: string, { cert }: Pair): string | undefined {
  const file = join(folder, CERTIFICATE_FILE)
  const isCurrent = () => {
    try {
      return readFileSync(file, 'utf8') === cert
    } catch {
      return false
    }
  }
  return isCurrent() || write(folder, CERTIFICATE_FILE, cert) ? file : undefined
}

/** Writes a file that only the user can read, all of it or nothing. Returns whether it could. */
function write(folder: string, name: string, text: string): boolean {
  const file = join(folder, name)
  const temporary = `${file}.${randomUUID()}`
  const isWritten = succeeds(() => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
    writeFileSync(temporary, text, { mode: 0o600 })
    renameSync(temporary, file)
  })
  if (!isWritten) succeeds(() => unlinkSync(temporary))
  return isWritten
}

function succeeds(act: () => void): boolean {
  try {
    act()
    return true
  } catch {
    return false
  }
}

function cacheFolder(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  const home = homedir()
  const folders: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(home, 'Library', 'Caches'),
    win32: LOCALAPPDATA || join(home, 'AppData', 'Local'),
  }
  return join(XDG_CACHE_HOME || (folders[platform()] ?? join(home, '.cache')), 'petstore-mock')
}
