import { ApiError, quote } from './contract/errors.js'
import type { PlainRequest } from './contract/messages.js'

/** Where a request leads inside one mock. */
export interface Address {
  /** Undefined for the mock itself. */
  readonly sandbox: string | undefined
  /** The part of the path that names the sandbox, spelled plainly; empty where the path names none. */
  readonly prefix: string
  /** The rest of the path, as it was sent. */
  readonly path: string
}

const SANDBOX_HEADER = 'x-petstore-sandbox'

const SANDBOX_SEGMENT = 'sandbox'
const ADMIN_SEGMENT = '__admin'

/** Not only dots: `/sandbox/..` is another place to every client. */
const NAME = /^(?!\.+$)[A-Za-z0-9._-]{1,64}$/

/** What is wrong with the name of a sandbox or a snapshot, in a sentence that begins with `what`. */
export function findNameProblem(name: unknown, what: string): string | undefined {
  if (typeof name === 'string' && NAME.test(name)) return undefined
  return `${what} must be 1 to 64 letters, digits, ".", "_" or "-", and not only dots, but is ${quote(String(name))}`
}

/** Reads which sandbox a request is for. A name that cannot be one, or two different ones, it refuses. */
export function readAddress({ path, headers }: Pick<PlainRequest, 'path' | 'headers'>): Address {
  const inHeader = headers[SANDBOX_HEADER]
  const address = splitPath(path)
  if (address.sandbox !== undefined) requireName(address.sandbox, 'the sandbox in the path')
  if (inHeader === undefined) return address
  requireName(inHeader, 'X-Petstore-Sandbox')
  if (address.sandbox !== undefined && address.sandbox !== inHeader) {
    throw new ApiError(
      'INVALID_REQUEST',
      `X-Petstore-Sandbox names ${quote(inHeader)} and the path names ${quote(address.sandbox)}: name one sandbox`,
    )
  }
  return { ...address, sandbox: inHeader }
}

/** Whatever the spelling: `/%5F_admin` leads where `/__admin` does, in a sandbox or not. */
export function isAdminPath(path: string): boolean {
  if (!path.includes('_') && !path.includes('%')) return false
  const { path: inside } = splitPath(path)
  return decoded(firstSegment(inside)) === ADMIN_SEGMENT
}

/** Whether a path leads to a whole state, in a sandbox or not. */
export function isStatePath(path: string): boolean {
  return splitPath(path).path.split('/').map(decoded).join('/') === `/${ADMIN_SEGMENT}/state`
}

/** Takes the sandbox off a path, without a look at whether its name can be one. */
export function splitPath(path: string): Address {
  // Most name none, and every request comes this way.
  if (!path.startsWith('/s') && !path.includes('%')) return { sandbox: undefined, prefix: '', path }
  const first = firstSegment(path)
  if (decoded(first) !== SANDBOX_SEGMENT || path.length === first.length + 1) {
    return { sandbox: undefined, prefix: '', path }
  }
  const afterFirst = path.slice(first.length + 1)
  const second = firstSegment(afterFirst)
  const sandbox = decoded(second)
  return {
    sandbox,
    prefix: `/${SANDBOX_SEGMENT}/${sandbox}`,
    path: afterFirst.slice(second.length + 1) || '/',
  }
}

function firstSegment(path: string): string {
  const end = path.indexOf('/', 1)
  return path.slice(1, end < 0 ? path.length : end)
}

/** What cannot be decoded is itself, and leads nowhere. */
function decoded(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function requireName(name: string, where: string): void {
  const problem = findNameProblem(name, where)
  if (problem !== undefined) throw new ApiError('INVALID_REQUEST', problem)
}
