import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { findNameProblem, splitPath } from '../../engine/address.js'
import { ApiError, apiError } from '../../engine/contract/errors.js'
import type { Handled, PlainRequest, PlainResponse } from '../../engine/contract/messages.js'
import { prefers } from '../../engine/contract/negotiation.js'
import { handleError } from '../../engine/contract/render.js'
import { version } from '../../lib/generated/version.js'

/** Every file that is served, by where it is, at the root or in a sandbox. Nothing else of a path is ever looked up. */
const FILES: Readonly<Record<string, string>> = {
  '/__admin/': 'dashboard.html',
  '/__admin/assets/dashboard.js': 'dashboard.js',
  '/__admin/assets/dashboard.css': 'dashboard.css',
  '/docs': 'reference.html',
  '/docs/assets/reference.js': 'reference.js',
  '/docs/assets/reference.css': 'reference.css',
  '/docs/assets/swagger-ui.js': 'swagger-ui.js',
  '/docs/assets/swagger-ui.css': 'swagger-ui.css',
}

/** What is easily typed instead of a page's address. */
const DETOURS: Readonly<Record<string, string>> = { '/__admin': '/__admin/', '/docs/': '/docs' }

const PLACES = new Set([...Object.keys(FILES), ...Object.keys(DETOURS)])

/** Beside the bundle, beside the folder of its chunks, or where the build puts them when the sources run. */
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
  // Kept, but never used without asking whether it is still the same: another version may answer at this address soon.
  'Cache-Control': 'no-cache',
  'X-Petstore-Mock': version,
}

const ALLOW = 'GET, HEAD, OPTIONS'

interface File {
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}

/** Answers what is asked of the web pages, and nothing else. */
export type Pages = (request: PlainRequest) => Handled | undefined

export function createPages(folders: readonly URL[] = FOLDERS): Pages {
  /** Read when they are first asked for, and once. */
  const files = new Map<string, File>()

  function fileOf(name: string): File {
    const file = files.get(name) ?? readFile(name, folders)
    files.set(name, file)
    return file
  }

  return (request) => {
    const { prefix, path } = split(request.path)
    // Somebody who opens the bare address in a browser wants to see something.
    if (path === '/' && isRead(request) && prefers(request.headers.accept, 'text/html')) {
      return { response: redirect(302, `${prefix}/__admin/`), trace: {} }
    }
    if (!PLACES.has(path)) return undefined
    if (request.method === 'OPTIONS') {
      return { response: { status: 204, headers: { ...HEADERS, Allow: ALLOW } }, trace: {} }
    }
    if (!isRead(request)) return handleError(notAllowed(request))
    const elsewhere = DETOURS[path]
    if (elsewhere !== undefined) return { response: redirect(308, prefix + elsewhere), trace: {} }
    try {
      return { response: toResponse(request, fileOf(FILES[path] as string)), trace: {} }
    } catch (error) {
      if (error instanceof ApiError) return handleError(error)
      throw error
    }
  }
}

/** Whether a path leads to a file of the pages, which hold no data of anybody. */
export function isPagePath(path: string): boolean {
  return PLACES.has(split(path).path)
}

/** The part of a path that names a sandbox, and the rest. A sandbox that cannot be one has no pages. */
function split(path: string): { prefix: string; path: string } {
  if (!path.startsWith('/sandbox/')) return { prefix: '', path }
  const { sandbox, prefix, path: inside } = splitPath(path)
  return findNameProblem(sandbox, '') === undefined ? { prefix, path: inside } : { prefix: '', path }
}

function readFile(name: string, folders: readonly URL[]): File {
  for (const folder of folders) {
    const bytes = readIfThere(new URL(name, folder))
    if (bytes) return toFile(name, bytes)
  }
  throw apiError('ROUTE_NOT_FOUND', 'the web pages are not built here: run `npm run build` in the sources of the mock')
}

function readIfThere(url: URL): Buffer | undefined {
  try {
    return readFileSync(url)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

function toFile(name: string, bytes: Buffer): File {
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)]
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  return {
    text: bytes.toString('utf8'),
    headers: {
      ...HEADERS,
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Length': String(bytes.length),
      ETag: `"${hash}"`,
    },
  }
}

function toResponse({ method, headers: asked }: PlainRequest, { text, headers }: File): PlainResponse {
  if (isKnown(asked['if-none-match'], headers.ETag as string)) {
    const { 'Content-Type': _, 'Content-Length': __, ...rest } = headers
    return { status: 304, headers: rest }
  }
  return { status: 200, headers, ...(method === 'GET' && { body: text }) }
}

/** Whether the client has this version already; a proxy may have marked its tag as weak. */
function isKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)
}

function redirect(status: 302 | 308, location: string): PlainResponse {
  return { status, headers: { ...HEADERS, Location: location, 'Content-Length': '0', Vary: 'Accept' } }
}

function isRead({ method }: PlainRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

function notAllowed({ method }: PlainRequest): ApiError {
  const message = `the web pages are only read: they do not take ${method.slice(0, 20)} but ${ALLOW}`
  return apiError('METHOD_NOT_ALLOWED', message, { Allow: ALLOW })
}
