import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { combine, forEachCase } from '../support/cases.js'
import { type ApiResponse, expectError, expectUnchanged, openClient, readResponse } from '../support/client.js'
import { type Operation, operations, STARTING_DATA, send } from '../support/operations.js'

const withBody = operations.filter(({ body }) => body !== undefined)

const ACCEPTED_TYPES = [
  'application/json',
  'APPLICATION/JSON',
  'Application/Json',
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
  'application/json ; charset=UTF-8',
  'application/json; charset="utf-8"',
  'application/json; Charset="UTF-8"',
  'application/json;\tcharset=utf-8',
  'application/json\t;charset=utf-8',
  'application/json \t; \tcharset=utf-8',
]

const REJECTED_TYPES = [
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
  'application/json;\tcharset=utf-16',
  'application/json\t;\tcharset=utf-16',
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

/** The header in which a 415 says what the method accepts; PUT has none. */
const ACCEPTED_IN: Readonly<Record<string, string>> = { POST: 'accept-post', PATCH: 'accept-patch' }

function expectUnsupported(response: ApiResponse, { method }: Operation, mentioning: string): void {
  expectError(response, 415, 'UNSUPPORTED_MEDIA_TYPE', mentioning)
  for (const [each, header] of Object.entries(ACCEPTED_IN)) {
    expect(response.headers.get(header)).toBe(each === method ? 'application/json' : null)
  }
}

describeAdapters('the content type of a body', (adapter) => {
  it('is tested on every operation that takes a body', () => {
    expect(withBody.map(({ method }) => method).sort()).toEqual(['PATCH', 'POST', 'POST', 'POST', 'PUT', 'PUT', 'PUT'])
  })

  it('may be any notation of JSON in UTF-8', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await forEachCase(
      combine(adapter, withBody, () => ACCEPTED_TYPES),
      async ([, contentType, each]) => {
        mock.petstore.reset()
        expect((await send(mock, each, { contentType })).status).toBe(each.success)
      },
    )
  })

  it('must be JSON in UTF-8; otherwise nothing changes', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await expectUnchanged(mock, () =>
      forEachCase(
        combine(adapter, withBody, () => REJECTED_TYPES),
        async ([, contentType, each]) => {
          expectUnsupported(await readResponse(await send(mock, each, { contentType })), each, '')
        },
      ),
    )
  })

  it('is named in the error', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await forEachCase(withBody, async (each) => {
      expectUnsupported(await readResponse(await send(mock, each, { contentType: 'text/plain' })), each, 'text/plain')
    })
  })

  it('must not come with a content coding; otherwise nothing changes', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await expectUnchanged(mock, () =>
      forEachCase(
        combine(adapter, withBody, () => CODINGS),
        async ([, coding, each]) => {
          const response = await readResponse(await send(mock, each, { headers: { 'Content-Encoding': coding } }))
          expectUnsupported(response, each, coding)
        },
      ),
    )
  })
})
