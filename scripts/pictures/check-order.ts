import { request } from 'node:http'
import { startServer } from '../../src/adapters/server/index.js'
import { createCanvas } from './canvas.js'
import type { Ink, Scheme } from './palette.js'

interface Parts {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Spaces after the body. */
  readonly padding: number
}

interface Mistake {
  readonly check: string
  readonly code: string
  readonly parts: Partial<Parts>
}

interface Reply {
  readonly status: number
  readonly code: string
}

const MAX_BODY_BYTES = 200
const AFTER_SUNSET = '2031-01-01T00:00:00Z'

const OPTIONS = {
  port: 0,
  strict: true,
  sunset: 'enforce',
  adminToken: 'secret',
  maxBodyBytes: MAX_BODY_BYTES,
  fixtures: {
    categories: [{ id: 1, name: 'Dogs' }],
    pets: [{ id: 1, name: 'Rex', categoryId: 1, status: 'available' }],
    inventory: [{ petId: 1, quantity: 5, status: 'available' }],
    orders: [
      { id: 1, petId: 1, quantity: 1, complete: false },
      { id: 2, petId: 1, quantity: 1, complete: true },
    ],
  },
} as const

const VALID: Parts = {
  method: 'PATCH',
  path: '/store/orders/1',
  query: '',
  headers: { accept: '*/*', 'content-type': 'application/json' },
  body: '{"quantity":2}',
  padding: 0,
}

/** If two change the same part, the first wins until it is put right. Otherwise their order here does not matter. */
const MISTAKES: readonly Mistake[] = [
  { check: 'The host name is not allowed', code: 'MISDIRECTED_REQUEST', parts: { headers: { host: 'example.com' } } },
  {
    check: 'A page of another site sends it',
    code: 'FORBIDDEN_ORIGIN',
    parts: { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' } },
  },
  { check: 'The admin API requires a token', code: 'UNAUTHORIZED', parts: { path: '/__admin/state' } },
  { check: 'The path is unknown', code: 'ROUTE_NOT_FOUND', parts: { path: '/nope' } },
  { check: 'The path does not have the method', code: 'METHOD_NOT_ALLOWED', parts: { method: 'PROPFIND' } },
  {
    check: 'The operation has reached its sunset',
    code: 'OPERATION_SUNSET',
    parts: { path: '/pets/1', method: 'GET' },
  },
  {
    check: 'A fault rule or Prefer applies',
    code: 'SERVICE_UNAVAILABLE',
    parts: { headers: { prefer: 'code=503' } },
  },
  { check: 'Accept excludes JSON', code: 'NOT_ACCEPTABLE', parts: { headers: { accept: 'text/html' } } },
  { check: 'A parameter is invalid', code: 'INVALID_REQUEST', parts: { query: '?bogus=1' } },
  {
    check: 'The body is not declared as JSON',
    code: 'UNSUPPORTED_MEDIA_TYPE',
    parts: { headers: { 'content-type': 'text/plain' } },
  },
  { check: 'The body is too large', code: 'BODY_TOO_LARGE', parts: { padding: MAX_BODY_BYTES } },
  { check: 'The body is not JSON', code: 'MALFORMED_BODY', parts: { body: '{' } },
  { check: 'The body breaks its schema', code: 'INVALID_REQUEST', parts: { body: '{"quantity":"two"}' } },
  { check: 'The record does not exist', code: 'ORDER_NOT_FOUND', parts: { path: '/store/orders/999' } },
  { check: 'The body refers to an unknown record', code: 'UNKNOWN_PET', parts: { body: '{"petId":999}' } },
  { check: 'A store rule forbids it', code: 'ORDER_COMPLETE', parts: { path: '/store/orders/2' } },
]

/** Sends a request with all mistakes to a real server, puts right what it reports, and repeats that until it succeeds. */
async function findOrder(): Promise<(Mistake & Reply)[]> {
  const server = await startServer(OPTIONS)
  server.petstore.clock.set(AFTER_SUNSET)
  try {
    const found: (Mistake & Reply)[] = []
    let left = MISTAKES
    while (left.length > 0) {
      const reply = await send(server.port, left)
      const next = await findReported(server.port, left, reply)
      found.push({ ...next, ...reply })
      left = left.filter((each) => each !== next)
    }
    const { status } = await send(server.port, left)
    if (status !== 200) throw new Error(`The request without mistakes gets ${status}.`)
    return found
  } finally {
    await server.close()
  }
}

/** Of several mistakes with the same code, the one without which the response is another. */
async function findReported(port: number, left: readonly Mistake[], { code }: Reply): Promise<Mistake> {
  const candidates = left.filter((each) => each.code === code)
  for (const candidate of candidates) {
    const rest = left.filter((each) => each !== candidate)
    if ((await send(port, rest)).code !== code) return candidate
  }
  throw new Error(`No mistake leads to ${code}.`)
}

function send(port: number, mistakes: readonly Mistake[]): Promise<Reply> {
  const { headers: _, ...changes } = Object.assign({}, ...mistakes.toReversed().map(({ parts }) => parts)) as Parts
  const headers = Object.assign({}, VALID.headers, ...mistakes.toReversed().map(({ parts }) => parts.headers))
  const { method, path, query, body, padding } = { ...VALID, ...changes }
  return new Promise((resolve, reject) => {
    const sent = request({ port, method, path: path + query, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, code: JSON.parse(text).code }))
    })
    sent.on('error', reject).end(method === 'GET' ? undefined : body + ' '.repeat(padding))
  })
}

const WIDTH = 760
const ROW = 31
const TOP = 62

export async function drawCheckOrder(scheme: Scheme): Promise<string> {
  const checks = await findOrder()
  const list = checks.map(({ check, status, code }, index) => `${index + 1}. ${check}: ${status} ${code}.`)
  const canvas = createCanvas(scheme, WIDTH, `The order of the checks: the first that fails decides. ${list.join(' ')}`)
  canvas.text(20, 34, 'The first check that fails decides the response', { bold: true, size: 17 })
  for (const [index, { check, status, code }] of checks.entries()) {
    const y = TOP + index * ROW
    const base = y + 19
    if (index % 2 === 0) canvas.rect({ x: 12, y, width: WIDTH - 24, height: ROW - 3 }, { fill: 'panel', radius: 5 })
    canvas.text(46, base, String(index + 1), { anchor: 'end', fill: 'muted' })
    canvas.text(62, base, check, { maxWidth: 350 })
    canvas.text(430, base, String(status), { mono: true, bold: true, fill: inkOf(status) })
    canvas.text(474, base, code, { mono: true })
  }
  const end = TOP + checks.length * ROW
  canvas.text(62, end + 22, 'Nothing is wrong: the operation answers', { bold: true, fill: 'green', maxWidth: 360 })
  canvas.text(430, end + 22, '2xx', { mono: true, bold: true, fill: 'green' })
  return canvas.finish(end + 42)
}

function inkOf(status: number): Ink {
  return status >= 500 ? 'magenta' : 'yellow'
}
