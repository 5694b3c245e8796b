import { describe, expect, it } from 'vitest'
import { createMock } from '../../src/engine/mock/create-mock.js'
import { defineService } from '../../src/engine/mock/define-service.js'
import { petstoreMatchers } from '../../src/runners/assertions/matchers.js'

const SCHEMES = {
  header: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
  query: { type: 'apiKey', in: 'query', name: 'api_key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
  basic: { type: 'http', scheme: 'basic' },
  bearer: { type: 'http', scheme: 'Bearer' },
  digest: { type: 'http', scheme: 'Digest' },
  oauth: { type: 'oauth2', flows: {} },
  openId: { type: 'openIdConnect', openIdConnectUrl: 'https://toys.example' },
  certificate: { type: 'mutualTLS' },
  strange: { type: 'http', scheme: 'constructor' },
}

type Requirement = Readonly<Record<string, readonly string[]>>

async function createToys(
  security: readonly Requirement[] | undefined,
  options: object = { security: 'require' },
  schemes: object = SCHEMES,
) {
  const error = { type: 'object', required: ['error'], properties: { error: { type: 'string' } } }
  const document = {
    openapi: '3.1.0',
    info: { title: 'Toys', version: '1' },
    // What an operation without a list of its own requires.
    security: [{ bearer: [] }],
    components: { securitySchemes: schemes },
    paths: {
      '/play': {
        get: {
          operationId: 'play',
          ...(security && { security }),
          parameters: [
            { name: 'size', in: 'query', schema: { type: 'integer' } },
            { name: 'Toy-Size', in: 'header', schema: { type: 'integer' } },
          ],
          responses: {
            204: { description: '' },
            401: { description: '', content: { 'application/json': { schema: error } } },
          },
        },
      },
    },
  }
  const mock = createMock(defineService({ document, scenarios: { default: {} } }), { strict: true, ...options })
  await mock.ready
  return mock
}

it('hides the keys that the document names wherever a request is recorded, and compares them', async () => {
  const schemes = { ...SCHEMES, own: { type: 'apiKey', in: 'header', name: 'Toy-Key' } }
  const mock = await createToys([{ own: [] }, { query: [] }], undefined, schemes)
  const match = { headers: { 'toy-key': 's3cret' }, query: { api_key: 's3cret' } }
  mock.faults.add({ operation: 'play', status: 503, match })
  const sent = {
    headers: { 'Toy-Key': 's3cret', Cookie: 'session=s3cret', Referer: 'http://toys.example/?api%5Fkey=s3cret' },
  }
  expect((await mock.fetch('/play?size=1&api%5Fkey=s3cret', sent)).status).toBe(503)
  const [entry] = mock.journal.entries({ match })
  expect(entry?.query).toEqual({ size: 1, api_key: '(hidden)' })
  expect(entry?.request.headers).toMatchObject({ 'toy-key': '(hidden)', cookie: '(hidden)' })
  const [har, reproduction] = [mock.journal.toHar(), mock.reproduction()]
  expect(har.log.entries[0]?.request.queryString).toEqual([
    { name: 'size', value: '1' },
    { name: 'api_key', value: '(hidden)' },
  ])
  expect(reproduction.steps.at(-1)).toMatchObject({ request: { query: 'size=1&api%5Fkey=(hidden)' } })
  expect(JSON.stringify([entry, har, reproduction])).not.toContain('s3cret')
  expect.extend(petstoreMatchers)
  expect(mock).toHaveReceived('play', { ...match, query: { api_key: ['s3cret'] } })
  expect(mock).not.toHaveReceived('play', { query: { api_key: ['another'] } })
})

it('hides a key that breaks its schema', async () => {
  const toKey = (name: string, place: string) => ({ type: 'apiKey', in: place, name })
  const schemes = { query: toKey('size', 'query'), header: toKey('Toy-Size', 'header') }
  const mock = await createToys([], undefined, schemes)
  expect((await mock.fetch('/play?size=s3cret', header('Toy-Size', 's3cret'))).status).toBe(400)
  const [entry] = mock.journal.entries()
  expect(entry?.violations?.[0]).toMatch(/^query parameter size must be an integer .*, but is "\(hidden\)"$/)
  expect(entry?.violations?.[1]).toMatch(/^header parameter toy-size must be an integer .*, but is "\(hidden\)"$/)
  expect(JSON.stringify(entry)).not.toContain('s3cret')
})

const header = (name: string, value: string) => ({ headers: { [name]: value } })
const authorization = (value: string) => header('authorization', value)
const basic = (text: string) => authorization(`Basic ${btoa(text)}`)

describe('credentials', () => {
  it.each<[readonly Requirement[] | undefined, string, RequestInit, number]>([
    [[{ header: [] }], '/play', header('x-api-key', 'k'), 204],
    [[{ header: [] }], '/play', header('x-api-key', ''), 401],
    [[{ header: [] }], '/play', authorization('Bearer k'), 401],
    [[{ query: [] }], '/play?api_key=k', {}, 204],
    [[{ query: [] }], '/play?api_key=', {}, 401],
    [[{ query: [] }], '/play?api_key=k&api_key=k', {}, 204],
    [[{ query: [] }], '/play', {}, 401],
    [[{ cookie: [] }], '/play', header('cookie', 'a=b; session=k'), 204],
    [[{ cookie: [] }], '/play', header('cookie', 'a=b; session='), 401],
    [[{ basic: [] }], '/play', basic('ada:secret'), 204],
    [[{ basic: [] }], '/play', basic('ada'), 401],
    [[{ basic: [] }], '/play', authorization('Basic !'), 401],
    [undefined, '/play', authorization('bearer a.b-c~1+/=='), 204],
    [undefined, '/play', authorization('Bearer'), 401],
    [undefined, '/play', authorization('Bearer a b'), 401],
    [undefined, '/play', basic('ada:secret'), 401],
    [undefined, '/play', {}, 401],
    [[{ digest: [] }], '/play', authorization('Digest username="ada"'), 204],
    [[{ digest: [] }], '/play', authorization('Bearer k'), 401],
    [[{ oauth: ['toys:read'] }], '/play', authorization('Bearer k'), 204],
    [[{ openId: [] }], '/play', {}, 401],
    [[{ certificate: [] }], '/play', {}, 204],
    [[{ strange: [] }], '/play', {}, 401],
    [[{ unknown: [] }], '/play', {}, 204],
    [[], '/play', {}, 204],
    [[{ bearer: [] }, {}], '/play', {}, 204],
    [[{ bearer: [] }, { header: [] }], '/play', header('x-api-key', 'k'), 204],
    [[{ bearer: [], header: [] }], '/play', header('x-api-key', 'k'), 401],
    // A request that is also invalid otherwise.
    [undefined, '/play?size=big', {}, 401],
  ])('%j: %s with %j is %s', async (security, path, init, status) => {
    const { fetch } = await createToys(security)
    expect((await fetch(path, init)).status).toBe(status)
  })

  it('are asked for in the shape of the document, with a challenge', async () => {
    const { fetch } = await createToys([{ bearer: [], header: [] }, { basic: [] }])
    const response = await fetch('/play')
    expect(response.headers.get('www-authenticate')).toBe('Bearer, ApiKey, Basic realm="API"')
    expect(await response.json()).toEqual({
      error:
        'play requires credentials. Send a bearer token in the header Authorization and the header X-Api-Key, or ' +
        'name and password (Basic) in the header Authorization.',
    })
  })

  it('are not checked by default', async () => {
    const { fetch } = await createToys(undefined, {})
    expect((await fetch('/play')).status).toBe(204)
  })

  it('are no longer right if a fault says so', async () => {
    const mock = await createToys(undefined)
    mock.faults.add({ status: 403 })
    expect((await mock.fetch('/play')).status).toBe(403)
  })
})
