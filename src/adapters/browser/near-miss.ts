import type { Contract } from '../../document/contract/contract.js'
import { type SandboxPaths, splitPath } from '../../http/address.js'
import type { BaseAddress, BaseAddresses } from '../../http/base-address.js'
import { findNearest } from '../../lib/nearest.js'

/** A request that was probably meant for the mock. */
interface NearMiss {
  /** The base address that it was sent to, instead of the mock's. */
  readonly sentTo: string
  readonly base: string
}

/** Looks at requests for paths of the API only: on the same host, a page also loads its own files. */
export function findNearMiss(contract: Contract, url: string, addresses: BaseAddresses): NearMiss | undefined {
  const { origin, hostname, pathname } = new URL(url)
  const prefix = findPrefix(contract, pathname)
  if (prefix === undefined || addresses.find(url)?.path === prefix) return undefined
  const meant = addresses.all.find((base) => isNear({ origin, hostname, prefix }, base))
  return meant && { sentTo: origin + prefix, base: meant.origin + meant.path }
}

/** Whether a path is one of the mock. Where the page has the same base address, all others are files of the page. */
export function isPathOfMock(contract: Contract, documentPaths: SandboxPaths, pathname: string): boolean {
  const { path, isAdmin } = splitPath(pathname, documentPaths)
  return isAdmin || DOCUMENT.test(path) || findPrefix(contract, path) === ''
}

const DOCUMENT = /^\/openapi\.(json|yaml)$/

/** The part of a path in front of a path of the API. */
function findPrefix({ findRoute }: Contract, pathname: string): string | undefined {
  const segments = pathname.split('/')
  if (FILE_NAME.test(segments.at(-1) ?? '')) return undefined
  const start = segments.findIndex((_, index) => index > 0 && findRoute(segments.slice(index)) !== undefined)
  return start < 0 ? undefined : segments.slice(0, start).join('/')
}

/** A path such as /books/app.js has the form of a path of the API. */
const FILE_NAME = /\.[a-z]\w*$/i

interface Sent {
  readonly origin: string
  readonly hostname: string
  readonly prefix: string
}

function isNear({ origin, hostname, prefix }: Sent, base: BaseAddress): boolean {
  if (origin === base.origin) {
    return ['', base.path + base.path].includes(prefix) || findNearest(prefix, [base.path]) !== undefined
  }
  // Another port or scheme.
  return prefix === base.path && toHost(hostname) === toHost(new URL(base.origin).hostname)
}

/** One name for all loopback addresses, which are easily confused. */
function toHost(hostname: string): string {
  return /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname) ? 'localhost' : hostname
}

/** What was printed in this page: each mock of a hot update would print it again. */
const printed = new Set<string>()

/** What a mock prints in the console, each line once. */
export function createAnnouncements(contract: Contract, addresses: BaseAddresses) {
  return {
    started(): void {
      printOnce('info', `petstore-mock handles the requests of this page to ${addresses.text}.`)
    },
    nearMiss(url: string): void {
      const { sentTo, base } = findNearMiss(contract, url, addresses) ?? {}
      if (sentTo === undefined) return
      printOnce(
        'warn',
        `petstore-mock handles requests to ${base}, but this page sends some to ${sentTo}. Is that a mistake?`,
      )
    },
  }
}

function printOnce(level: 'info' | 'warn', text: string): void {
  if (printed.has(text)) return
  printed.add(text)
  console[level](text)
}
