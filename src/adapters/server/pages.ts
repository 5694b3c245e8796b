import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { toErrorOutcome } from '../../document/contract/error-drafts.js'
import type { DocumentPaths } from '../../engine/instance/document-paths.js'
import { version } from '../../generated/lib/version.js'
import { findNameProblem, type SandboxPaths, splitPath } from '../../http/address.js'
import { apiError } from '../../http/errors.js'
import type { Outcome, PlainRequest } from '../../http/messages.js'
import { prefers } from '../../http/negotiation.js'

/** All files that are served, at the root and in each sandbox. No other part of a path reaches the file system. */
const FILES: Readonly<Record<string, string>> = {
  '/__admin/': 'dashboard.html',
  '/__admin/assets/dashboard.js': 'dashboard.js',
  '/__admin/assets/yaml.js': 'yaml.js',
  '/__admin/assets/dashboard.css': 'dashboard.css',
  '/docs': 'reference.html',
  '/docs/assets/reference.js': 'reference.js',
  '/docs/assets/reference.css': 'reference.css',
  '/docs/assets/swagger-ui.js': 'swagger-ui.js',
  '/docs/assets/swagger-ui.css': 'swagger-ui.css',
}

const REDIRECTS: Readonly<Record<string, string>> = { '/__admin': '/__admin/', '/docs/': '/docs' }

const PATHS = new Set([...Object.keys(FILES), ...Object.keys(REDIRECTS)])

/**
 * Next to the bundle; next to the folder of its chunks, or of the CommonJS build; or in the build output when the sources are
 * run directly.
 */
const FOLDERS = ['./pages/', '../pages/', '../../../dist/pages/'].map((folder) => new URL(folder, import.meta.url))

const TYPES: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' }

const HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  // Caches must revalidate: another version of the mock may soon use this address.
  'Cache-Control': 'no-cache',
  'X-Petstore-Mock': version,
}

const ALLOW = 'GET, HEAD, OPTIONS'

interface File {
  readonly bytes: Uint8Array
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
}

/** Handles the requests for web pages. Returns undefined for all others. */
export type Pages = (request: PlainRequest) => Outcome | undefined

/** The service may have a page of its own at `/`, and documentation at `/docs`. */
export function createPages(documentPaths = NO_PATHS, folders: readonly URL[] = FOLDERS): Pages {
  const cache = new Map<string, File>()

  function load(name: string): File | undefined {
    const file = cache.get(name) ?? readFile(name, folders)
    if (file) cache.set(name, file)
    return file
  }

  return ({ method, path: fullPath, base, headers }) => {
    const { prefix: sandbox, path } = split(fullPath, documentPaths)
    const prefix = base + sandbox
    const isRead = method === 'GET' || method === 'HEAD'
    const isPage = PATHS.has(path)
    if (!isPage && path !== '/') return undefined
    if (documentPaths.has(path)) return undefined
    if (path === '/' && isRead && prefers(headers.accept, 'text/html')) return redirect(302, `${prefix}/__admin/`)
    if (!isPage) return undefined
    if (method === 'OPTIONS') return respond(204, { Allow: ALLOW })
    if (!isRead) {
      const message = `${method.slice(0, 20)} is not allowed on web pages. Allowed: ${ALLOW}.`
      return toErrorOutcome(apiError('METHOD_NOT_ALLOWED', message, { Allow: ALLOW }))
    }
    const location = REDIRECTS[path]
    if (location !== undefined) return redirect(308, prefix + location)
    const file = load(FILES[path] as string)
    if (file === undefined) {
      const message = "The web pages are missing. Run `npm run build` in the mock's source folder."
      return toErrorOutcome(apiError('ROUTE_NOT_FOUND', message))
    }
    if (matchesEtag(headers['if-none-match'], file.etag)) return respond(304, { ETag: file.etag })
    return respond(200, { ...file.headers, ETag: file.etag }, method === 'GET' ? file.bytes : undefined)
  }
}

/** Whether a path is that of a web page or one of its files. They contain no data. */
export function isPagePath(path: string): boolean {
  return PATHS.has(split(path, NO_PATHS).path)
}

const NO_PATHS: Pick<DocumentPaths, 'has' | 'takesSandbox'> = { has: () => false, takesSandbox: () => false }

/** Splits off the prefix of a sandbox, if its name is valid. */
function split(path: string, documentPaths: SandboxPaths): { prefix: string; path: string } {
  if (!path.startsWith('/sandbox/')) return { prefix: '', path }
  const { sandbox, prefix, path: inside } = splitPath(path, documentPaths)
  return findNameProblem(sandbox, '') === undefined ? { prefix, path: inside } : { prefix: '', path }
}

function readFile(name: string, folders: readonly URL[]): File | undefined {
  const url = folders.map((folder) => new URL(name, folder)).find((candidate) => existsSync(candidate))
  if (url === undefined) return undefined
  const bytes = readFileSync(url)
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)]
  return {
    bytes,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    headers: { 'Content-Type': `${type}; charset=utf-8`, 'Content-Length': String(bytes.length) },
  }
}

/** A proxy may have marked the tag as weak. */
function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

export function redirect(status: 302 | 308, location: string): Outcome {
  return respond(status, { Location: location, 'Content-Length': '0', Vary: 'Accept' })
}

function respond(status: number, headers: Readonly<Record<string, string>>, bytes?: Uint8Array): Outcome {
  return {
    response: { status, headers: { ...HEADERS, ...headers }, ...(bytes && { bytes, isShared: true }) },
    trace: {},
  }
}
