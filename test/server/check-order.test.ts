import { request } from 'node:http'
import { expect, it } from 'vitest'
import { startServer } from '../../src/adapters/server/index.js'
import { readPage, tablesOf } from '../support/docs-blocks.js'

interface Parts {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const MAX_BODY_BYTES = 200

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
}

/** For each row of the table, in its order, a mistake that fails that check. */
const MISTAKES: readonly Partial<Parts>[] = [
  { headers: { host: 'example.com' } },
  { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' } },
  { path: '/__admin/state' },
  { path: '/nope' },
  { method: 'PROPFIND' },
  { path: '/pets/1', method: 'GET' },
  { headers: { prefer: 'code=503' } },
  { headers: { accept: 'text/html' } },
  { query: '?bogus=1' },
  { headers: { 'content-type': 'text/plain' } },
  { body: `{${' '.repeat(MAX_BODY_BYTES)}` },
  { body: '{' },
  { body: '{"quantity":"two"}' },
  { path: '/store/orders/999' },
  { body: '{"petId":999}' },
  { path: '/store/orders/2' },
]

it('makes the checks of a request in the order that docs/behaviour.md shows', async () => {
  const checks = tablesOf(readPage('docs/behaviour.md')).find(({ header }) => header[0] === 'Check')?.rows ?? []
  await using server = await startServer(OPTIONS)
  server.petstore.clock.set('2031-01-01T00:00:00Z')
  const replies: string[] = []
  for (const index of MISTAKES.keys()) replies.push(await send(server.port, MISTAKES.slice(index)))
  const shown = checks.map(([, status = '', code = '']) => `${status.slice(0, 3)} ${/`(.+)`/.exec(code)?.[1]}`)
  expect(replies).toEqual(shown)
  expect(await send(server.port, [])).toBe('200 undefined')
})

/** Sends a request with mistakes. If two change the same part, the first wins. */
function send(port: number, mistakes: readonly Partial<Parts>[]): Promise<string> {
  const changes = mistakes.toReversed()
  const { method, path, query, body }: Parts = Object.assign({}, VALID, ...changes)
  const headers = Object.assign({}, VALID.headers, ...changes.map((each) => each.headers))
  return new Promise((resolve, reject) => {
    const sent = request({ port, method, path: path + query, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve(`${response.statusCode} ${JSON.parse(text).code}`))
    })
    sent.on('error', reject).end(method === 'GET' ? undefined : body)
  })
}
