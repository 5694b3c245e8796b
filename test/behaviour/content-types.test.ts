import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { expectError, expectUnchanged, openClient, readResponse } from '../support/client.js'
import {
  type Operation,
  operation,
  operations,
  STARTING_DATA,
  send,
  VALID_BODIES,
  withId,
} from '../support/operations.js'

const withBody = operations.filter(({ body }) => body !== undefined)

const TAKEN_TYPES = [
  'application/json',
  'APPLICATION/JSON',
  'Application/Json',
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
  'application/json ; charset=UTF-8',
  'application/json; charset="utf-8"',
  'application/json; Charset="UTF-8"',
]

const REFUSED_TYPES = [
  'text/plain',
  'text/plain; charset=utf-8',
  'text/json',
  'text/html',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'application/javascript',
  'application/json; charset=utf-16',
  'application/json;charset=UTF-16LE',
  'application/json; charset=iso-8859-1',
  'application/json; charset="utf-16"',
  'application/json; charset=utf-8x',
  'application/json; charset=',
  'application/vnd.other+json',
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/problem+json',
  'application/jsonp',
  'application/json5',
  'application/json+x',
  'application/jso',
  'xapplication/json',
  'application/*',
  '*/*',
  'json',
  'text/plain; application/json',
  'text/plain, application/json',
]

const CODINGS = ['gzip', 'GZIP', 'br', 'deflate', 'x-gzip', 'zstd', 'gzip, br', 'nonsense']

/** Which header of a 415 says what is taken; a PUT has none of its own. */
const ACCEPTED_IN: Readonly<Record<string, string>> = { POST: 'accept-post', PATCH: 'accept-patch' }

function expectUnsupported(response: Awaited<ReturnType<typeof readResponse>>, { method }: Operation): void {
  expectError(response, 415, 'UNSUPPORTED_MEDIA_TYPE')
  for (const [each, header] of Object.entries(ACCEPTED_IN)) {
    expect(response.headers.get(header)).toBe(each === method ? 'application/json' : null)
  }
}

const validBody = ({ id }: Operation) => JSON.stringify(VALID_BODIES[id])

describeAdapters('the declaration of a body', (adapter) => {
  it('is tried on every operation that takes one', () => {
    expect(withBody.map(({ method }) => method).sort()).toEqual(['PATCH', 'POST', 'POST', 'POST', 'PUT', 'PUT', 'PUT'])
  })

  it.each(withId(withBody))('may be any spelling of JSON in UTF-8 for %s', async (_, each) => {
    for (const contentType of TAKEN_TYPES) {
      const { mock } = await openClient(adapter, STARTING_DATA)
      const response = await send(mock, each, { contentType })
      expect.soft([contentType, response.status]).toEqual([contentType, each.success])
    }
  })

  it.each(withId(withBody))('must be JSON in UTF-8 for %s', async (_, each) => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    for (const contentType of REFUSED_TYPES) {
      const before = mock.petstore.snapshot()
      const response = await readResponse(await send(mock, each, { contentType }))
      expect.soft([contentType, response.status]).toEqual([contentType, 415])
      if (response.status === 415) expectUnsupported(response, each)
      mock.petstore.restore(before)
    }
  })

  it.each([
    ['application/json;\tcharset=utf-8', 201],
    ['application/json\t;charset=utf-8', 201],
    ['application/json \t; \tcharset=utf-8', 201],
    ['application/json;\tcharset=utf-16', 415],
    ['application/json\t;\tcharset=utf-16', 415],
  ])('may have tabs where it may have blanks: %j', async (contentType, status) => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    expect((await send(mock, operation('createPet'), { contentType })).status).toBe(status)
  })

  it.each(withId(withBody))('of another type leaves everything as it was for %s', async (_, each) => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    const contentType = 'text/plain'
    const response = await expectUnchanged(mock, async () => readResponse(await send(mock, each, { contentType })))
    expectError(response, 415, 'UNSUPPORTED_MEDIA_TYPE', contentType)
  })

  it.each(withId(withBody))('must not name a content coding for %s', async (_, each) => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await expectUnchanged(mock, async () => {
      for (const coding of CODINGS) {
        const response = await readResponse(await send(mock, each, { headers: { 'Content-Encoding': coding } }))
        expectError(response, 415, 'UNSUPPORTED_MEDIA_TYPE', coding)
      }
    })
  })

  it.each(withId(withBody.filter(({ method }) => method !== 'PUT')))(
    'is answered with what %s takes, when it names a content coding too',
    async (_, each) => {
      const { mock } = await openClient(adapter, STARTING_DATA)
      expectUnsupported(await readResponse(await send(mock, each, { headers: { 'Content-Encoding': 'gzip' } })), each)
    },
  )
})

describeAdapters('the size of a body', (adapter) => {
  const limit = 120

  it.each(withId(withBody))('may be the limit of maxBodyBytes for %s, and not one byte more', async (_, each) => {
    const { mock } = await openClient(adapter, { ...STARTING_DATA, maxBodyBytes: limit })
    const response = await expectUnchanged(mock, async () =>
      readResponse(await send(mock, each, { body: validBody(each).padEnd(limit + 1) })),
    )
    expectError(response, 413, 'BODY_TOO_LARGE', String(limit))
    expect((await send(mock, each, { body: validBody(each).padEnd(limit) })).status).toBe(each.success)
  })

  it('is counted in bytes, not in characters', async () => {
    const { mock } = await openClient(adapter, { ...STARTING_DATA, maxBodyBytes: limit })
    const fits = `{"name":"${'é'.repeat((limit - 12) / 2)}"} `
    expect(new TextEncoder().encode(fits)).toHaveLength(limit)
    expect((await send(mock, operation('createCategory'), { body: fits })).status).toBe(201)
    const response = await readResponse(
      await send(mock, operation('createCategory'), { body: fits.replace(' ', '  ') }),
    )
    expectError(response, 413, 'BODY_TOO_LARGE')
  })

  it.each(withId(withBody))('is judged before the content for %s', async (_, each) => {
    const { mock } = await openClient(adapter, { ...STARTING_DATA, maxBodyBytes: limit })
    for (const body of ['{'.repeat(limit + 1), ' '.repeat(limit + 1), 'x'.repeat(limit * 100)]) {
      expectError(await readResponse(await send(mock, each, { body })), 413, 'BODY_TOO_LARGE')
    }
  })

  it.each(withId(withBody))(
    'may be a mebibyte for %s unless told otherwise, and not one byte more',
    async (_, each) => {
      const { mock } = await openClient(adapter, STARTING_DATA)
      const mebibyte = 1_048_576
      const response = await readResponse(await send(mock, each, { body: validBody(each).padStart(mebibyte + 1) }))
      expectError(response, 413, 'BODY_TOO_LARGE', String(mebibyte))
      expect((await send(mock, each, { body: validBody(each).padStart(mebibyte) })).status).toBe(each.success)
    },
  )
})
