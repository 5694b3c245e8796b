import { decodePercent, quote } from '../lib/text.js'
import { apiError } from './errors.js'
import type { PlainRequest } from './messages.js'
import {
  COOKIE,
  findCookieNames,
  findSandboxNames,
  namesRoot,
  ROOT,
  SANDBOX_COOKIE,
  SANDBOX_HEADER,
  SANDBOX_NAME,
  type SandboxName,
} from './sandbox-headers.js'

export interface Address {
  /** Undefined for the root. */
  readonly sandbox: string | undefined
  /** The part of the path that names the sandbox, decoded; empty when there is none. */
  readonly prefix: string
  /** The rest of the path, as it was sent. */
  readonly path: string
  readonly isAdmin: boolean
}

export const SANDBOX_SEGMENT = 'sandbox'
const ADMIN_SEGMENT = '__admin'

/** What is wrong with the name of a sandbox or a snapshot, in a sentence that starts with `what`. */
export function findNameProblem(name: unknown, what: string): string | undefined {
  if (typeof name === 'string' && SANDBOX_NAME.test(name)) return undefined
  return `${what} must be 1 to 64 letters, digits, ".", "_" or "-", and not only dots, but is ${quote(String(name))}`
}

/** What a service's document says about names of sandboxes in paths. */
export interface SandboxPaths {
  /**
   * Whether a path of the document can start with `/sandbox/<name>`: then that does not name a sandbox. Two parameters do
   * not count, such as `/{owner}/{repository}`, because they could be any name.
   */
  takesSandbox(name: string): boolean
}

const ALL_ARE_NAMES: SandboxPaths = { takesSandbox: () => false }

/**
 * Finds the sandbox a request is for. Throws when a name is invalid, or when path, header and baggage disagree. A cookie
 * counts only if none of them names one, and never for the admin API.
 */
export function readAddress(
  { path, headers }: Pick<PlainRequest, 'path' | 'headers'>,
  documentPaths: SandboxPaths = ALL_ARE_NAMES,
): Address {
  const address = splitPath(path, documentPaths)
  if (address.sandbox === undefined && !hasSandboxHeaders(headers)) return address
  let names = findSandboxNames(headers)
  if (address.sandbox !== undefined) names.push({ name: address.sandbox, where: 'the path' })
  if (names.length === 0 && !address.isAdmin) names = findCookieNames(headers)
  const [first] = names
  if (first === undefined) return address
  for (const name of names) checkName(name)
  const other = names.find(({ name }) => name !== first.name)
  if (other === undefined) return { ...address, sandbox: first.name === ROOT ? undefined : first.name }
  throw apiError(
    'INVALID_REQUEST',
    `${first.where} names ${quote(first.name)} and ${other.where} names ${quote(other.name)}. Name one sandbox.`,
  )
}

/** Most requests have none of the headers that can name a sandbox. */
function hasSandboxHeaders({ 'x-petstore-sandbox': inHeader, baggage, cookie }: PlainRequest['headers']): boolean {
  return inHeader !== undefined || baggage !== undefined || cookie !== undefined
}

const READS = ['GET', 'HEAD']

/**
 * Whether a request only looks: it reads through the admin API with the header `X-Petstore-Peek`, so it neither creates the
 * sandbox that it names nor counts as its use.
 */
export function isPeek({ method, path, headers }: Pick<PlainRequest, 'method' | 'path' | 'headers'>): boolean {
  return headers['x-petstore-peek'] !== undefined && READS.includes(method) && isAdminPath(path)
}

/** Whether a request names a sandbox, valid or not. */
export function namesSandbox(
  { path, headers }: Pick<PlainRequest, 'path' | 'headers'>,
  documentPaths: SandboxPaths,
): boolean {
  if (splitPath(path, documentPaths).sandbox !== undefined) return true
  return findSandboxNames(headers).length + findCookieNames(headers).length > 0
}

/** Whether a path belongs to the admin API, at the root or in a sandbox. This is the only place that decides it. */
export function isAdminPath(path: string): boolean {
  return splitPath(path).isAdmin
}

export function isStatePath(path: string): boolean {
  return splitPath(path).path.split('/').map(decodePercent).join('/') === `/${ADMIN_SEGMENT}/state`
}

/** Like `readAddress`, for a path alone, and without checking the sandbox's name. */
export function splitPath(path: string, documentPaths: SandboxPaths = ALL_ARE_NAMES): Address {
  const sent = firstSegment(path)
  const first = decodePercent(sent)
  const whole = { sandbox: undefined, prefix: '', path, isAdmin: first === ADMIN_SEGMENT }
  if (first !== SANDBOX_SEGMENT || path.length === sent.length + 1) return whole
  const afterFirst = path.slice(sent.length + 1)
  const second = firstSegment(afterFirst)
  const sandbox = decodePercent(second)
  const inside = afterFirst.slice(second.length + 1) || '/'
  const isAdmin = isOwnAdminPath(inside)
  if (!isAdmin && documentPaths.takesSandbox(sandbox)) return whole
  return { sandbox, prefix: `/${SANDBOX_SEGMENT}/${sandbox}`, path: inside, isAdmin }
}

/** Like `isAdminPath`, for a path inside an instance, which names no sandbox. Decoded: `/%5F_admin` is `/__admin`. */
export function isOwnAdminPath(path: string): boolean {
  return decodePercent(firstSegment(path)) === ADMIN_SEGMENT
}

function firstSegment(path: string): string {
  const end = path.indexOf('/', 1)
  return path.slice(1, end < 0 ? path.length : end)
}

function checkName({ name, where }: SandboxName): void {
  if (namesRoot(name, where)) return
  const problem = findNameProblem(name, where === SANDBOX_HEADER ? where : `the sandbox name in ${where}`)
  if (problem === undefined) return
  const hint =
    where === COOKIE
      ? `. Browsers send a cookie to every port of a host: if another server has set it, delete ${SANDBOX_COOKIE}.`
      : ''
  throw apiError('INVALID_REQUEST', problem + hint)
}
