import { describe, expect, it } from 'vitest'
import { createMock } from '../../src/engine/mock/create-mock.js'
import { defineService, type ServiceDescription } from '../../src/engine/mock/define-service.js'

/* Operations that belong to no resource, and what Prefer chooses. */

const text = { type: 'string' }
const weather = {
  type: 'object',
  required: ['sky'],
  properties: { sky: { enum: ['blue', 'grey', 'red'] }, wind: text },
}
const json = (media: object) => ({ description: '', content: { 'application/json': media } })
const error = { type: 'object', required: ['message'], properties: { message: text } }

const document = {
  openapi: '3.1.0',
  info: { title: 'Weather', version: '1' },
  paths: {
    '/now': {
      get: {
        operationId: 'readWeather',
        responses: {
          200: {
            ...json({
              schema: weather,
              examples: {
                wrong: { value: { sky: 'green' } },
                storm: { value: { sky: 'grey', wind: 'strong', extra: [1] } },
                calm: { value: { sky: 'blue' } },
              },
            }),
            headers: {
              'X-Station': { schema: text, example: 'Oslo' },
              'X-Limit': { schema: { type: 'integer', minimum: 5, maximum: 5 } },
              'Content-Length': { schema: { type: 'integer' } },
            },
          },
          202: json({ schema: weather }),
          204: { description: '' },
          302: { description: '', headers: { Location: { schema: text, example: '/later' } } },
          404: json({ schema: error, examples: { gone: { value: { message: 'No weather.' } } } }),
        },
      },
    },
    '/map': {
      get: {
        operationId: 'drawMap',
        responses: {
          200: {
            description: '',
            content: {
              'text/plain': { schema: text, example: 'a map' },
              'application/xml': { schema: { type: 'object' }, example: { town: ['Oslo', 'Bergen & Voss'] } },
              'image/png': { example: '\u0089PNG' },
              'application/x-ndjson': { schema: { type: 'array' }, example: [{ a: 1 }, { b: 2 }] },
              'text/event-stream': { schema: { type: 'object' }, example: { a: 1 } },
            },
          },
        },
      },
    },
    '/link': {
      get: {
        operationId: 'readLink',
        responses: {
          200: json({
            schema: {
              type: 'object',
              required: ['url', 'title'],
              properties: { url: { type: 'string', format: 'uri' }, title: text, age: { type: 'integer' } },
            },
            example: { url: '/map', title: 'A map', age: 'new' },
          }),
        },
      },
    },
    '/log': { post: { operationId: 'writeLog', responses: { 302: { description: '' } } } },
    '/towns': {
      get: { operationId: 'listTowns', responses: { 200: json({ schema: { type: 'array', items: weather } }) } },
    },
    '/towns/{id}': {
      get: {
        operationId: 'getTown',
        responses: { 200: json({ schema: { ...weather, properties: { ...weather.properties, id: text } } }) },
      },
    },
  },
}

async function createWeather(description: Partial<ServiceDescription> = {}) {
  const service = defineService({ document, scenarios: { default: {} }, ...description })
  const mock = createMock(service, { validateResponses: true })
  await mock.ready
  return mock
}

const accept = (value: string) => ({ headers: { accept: value } })
const prefer = (value: string) => ({ headers: { prefer: value } })

describe('an operation without state', () => {
  it('is answered with the first example that conforms, and the declared headers', async () => {
    const { fetch } = await createWeather()
    const response = await fetch('/now')
    expect(await response.json()).toEqual({ sky: 'grey', wind: 'strong', extra: [1] })
    expect(Object.fromEntries(response.headers)).toMatchObject({ 'x-station': 'Oslo', 'x-limit': '5' })
    expect((await fetch('/log', { method: 'POST' })).status).toBe(302)
  })

  it('is answered with an example without its mistakes if none conforms', async () => {
    const { fetch } = await createWeather()
    const body = (await (await fetch('/link')).json()) as Record<string, unknown>
    expect(body.title).toBe('A map')
    expect(body.url).toMatch(/^https:/)
    expect(typeof body.age).toBe('number')
  })

  it.each<[string, string, string]>([
    ['text/plain', 'text/plain', 'a map'],
    ['*/*', 'text/plain', 'a map'],
    ['image/png;q=0.5, text/plain;q=0.1', 'image/png', '\u0089PNG'],
    ['application/x-ndjson', 'application/x-ndjson', '{"a":1}\n{"b":2}\n'],
    ['text/event-stream', 'text/event-stream', 'data: {"a":1}\n\n'],
    [
      'application/xml',
      'application/xml',
      '<?xml version="1.0" encoding="UTF-8"?>\n<root><town>Oslo</town><town>Bergen &amp; Voss</town></root>',
    ],
  ])('has all media types that the document declares: %s', async (wanted, type, body) => {
    const { fetch } = await createWeather()
    const response = await fetch('/map', accept(wanted))
    expect(response.headers.get('content-type')).toBe(type)
    expect(await response.text()).toBe(body)
  })

  it('sends what it has to a client that accepts other media types, unless it declares 406', async () => {
    const { fetch } = await createWeather()
    const response = await fetch('/map', accept('application/pdf'))
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain'])
    const map = { get: { ...document.paths['/map'].get } }
    const responses = { ...map.get.responses, 406: { description: '' } }
    const declared = { ...document, paths: { ...document.paths, '/map': { get: { ...map.get, responses } } } }
    const other = await createWeather({ document: declared })
    expect((await other.fetch('/map', accept('application/pdf'))).status).toBe(406)
    expect((await other.fetch('/map', accept('text/*'))).status).toBe(200)
  })

  it('is marked in the journal and the coverage', async () => {
    const mock = await createWeather()
    await mock.fetch('/now')
    await mock.fetch('/towns')
    expect(mock.journal.entries().map(({ operation, stateless }) => [operation, stateless])).toEqual([
      ['readWeather', true],
      ['listTowns', undefined],
    ])
    const marked = mock.coverage().operations.filter(({ stateless }) => stateless)
    expect(marked.map(({ operation }) => operation)).toEqual(['readWeather', 'drawMap', 'readLink', 'writeLog'])
    const journal = (await (await mock.fetch('/__admin/journal')).json()) as { entries: unknown[] }
    expect(journal.entries[0]).toMatchObject({ stateless: true })
  })

  it('can have a handler in the service, which can use the standard response', async () => {
    const mock = await createWeather({
      operations: {
        readWeather: (_, standard) => ({ status: 200, body: { ...(standard().body as object), wind: 'none' } }),
      },
    })
    expect(await (await mock.fetch('/now')).json()).toMatchObject({ sky: 'grey', wind: 'none' })
    expect(mock.journal.entries()[0]).not.toHaveProperty('stateless')
  })
})

describe('Prefer', () => {
  it.each<[string, string, number, unknown, string | null]>([
    ['/now', 'code=200', 200, expect.objectContaining({ sky: 'grey' }), 'code=200'],
    ['/now', 'example=calm', 200, { sky: 'blue' }, 'example="calm"'],
    ['/now', 'example="calm", code=200', 200, { sky: 'blue' }, 'code=200, example="calm"'],
    ['/now', 'example=wrong', 200, expect.objectContaining({ sky: 'grey' }), null],
    ['/now', 'dynamic=true', 200, expect.not.objectContaining({ extra: [1] }), 'dynamic=true'],
    ['/now', 'code=202', 202, expect.objectContaining({ sky: expect.any(String) }), 'code=202'],
    ['/now', 'code=204', 204, undefined, 'code=204'],
    ['/now', 'code=302', 302, undefined, 'code=302'],
    ['/now', 'code=404', 404, { message: 'The client requested 404 with the Prefer header.' }, 'code=404'],
    ['/now', 'code=404, example=gone', 404, { message: 'No weather.' }, 'code=404'],
    ['/now', 'code=503', 503, { message: 'The client requested 503 with the Prefer header.' }, 'code=503'],
    ['/now', 'code=206', 200, expect.anything(), null],
    ['/now', 'respond-async', 200, expect.anything(), null],
    // Operations with state, too.
    ['/towns/7', 'code=200', 200, expect.objectContaining({ sky: expect.any(String) }), 'code=200'],
    ['/towns/7', 'example=any', 404, expect.anything(), null],
  ])('%s with %s is %s', async (path, value, status, body, applied) => {
    const { fetch } = await createWeather()
    const response = await fetch(path, prefer(value))
    expect(response.status).toBe(status)
    expect(response.headers.get('preference-applied')).toBe(applied)
    const sent = await response.text()
    expect(sent === '' ? undefined : JSON.parse(sent)).toEqual(body)
    if (status === 302) expect(response.headers.get('location')).toBe('/later')
  })
})
