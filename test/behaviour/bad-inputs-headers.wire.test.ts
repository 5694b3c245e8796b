import { expect, it } from 'vitest'
import { describeEveryAdapter } from '../support/adapters.js'
import {
  type BadInput,
  expectAccepted,
  expectAllRejected,
  expectConsistent,
  expectRejectedUnchanged,
  lineOf,
  openPair,
  resetPair,
  sendToPair,
} from '../support/bad-inputs.js'
import { forEachCase } from '../support/cases.js'
import { contractHeaders, operation, operations, STARTING_DATA, VALID_BODIES } from '../support/operations.js'

const body = JSON.stringify(VALID_BODIES.createPet)
const created = { id: 4, ...VALID_BODIES.createPet }

/** The header in which a 415 says what the method accepts. */
const ACCEPTED_IN: Readonly<Record<string, string>> = { POST: 'accept-post', PATCH: 'accept-patch', PUT: 'accept' }

const withBody = operations.filter((each) => each.body !== undefined)

function withType(item: string, ...types: string[]): BadInput[] {
  return types.map((contentType) => [
    `${item} ${contentType.slice(0, 60)}`,
    'POST /pets',
    '415 UNSUPPORTED_MEDIA_TYPE',
    `Content-Type must be application/json in UTF-8. Received: ${JSON.stringify(contentType.slice(0, 60)).slice(0, -1)}`,
    { contentType, body },
  ])
}

const otherTypes: BadInput[] = [
  ...withType('D2', 'text/plain', 'text/plain; charset=utf-8', 'text/json', 'text/html', 'application/octet-stream'),
  ...withType('D2', 'json', '*/*', 'application/*', 'text/plain; application/json', `text/${'x'.repeat(5000)}`),
  // An empty body would be 400.
  [
    'D2 an empty body',
    'POST /pets',
    '415 UNSUPPORTED_MEDIA_TYPE',
    'text/plain',
    { contentType: 'text/plain', body: '' },
  ],
  ...withType('D3', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'),
  ...withType('D5', 'application/json; charset=utf-16', 'application/json;charset=UTF-16LE'),
  ...withType('D5', 'application/json; charset=iso-8859-1', 'application/json; charset="utf-16"'),
  ...withType('D5', 'application/json; charset=utf-7', 'application/json; charset='),
  ...withType('D6', 'application/vnd.other+json', 'application/problem+json', 'application/merge-patch+json'),
  ...withType('D6', 'application/json-patch+json', 'application/jsonp', 'application/json5', 'xapplication/json'),
]

const excludingJson: BadInput[] = [
  ...['application/xml', 'text/html', 'text/*', 'application/json;q=0', '*/*;q=0', 'application/json;q=0, */*'],
  ...['application/vnd.api+json', 'application/yaml', 'json', 'text/html;title=", application/json, "'],
  ...[`text/${'x'.repeat(5000)}`],
].map((Accept) => [
  `D7 ${Accept.slice(0, 60)}`,
  'GET /pets',
  '406 NOT_ACCEPTABLE',
  /^The response is application\/json, which the Accept header ".*" excludes\.$/,
  { headers: { Accept } },
])

const codings: BadInput[] = ['gzip', 'GZIP', 'br', 'deflate', 'zstd', 'gzip, br', 'nonsense', 'x'.repeat(5000)].map(
  (coding) => [
    `D20 ${coding.slice(0, 60)}`,
    'POST /pets',
    '415 UNSUPPORTED_MEDIA_TYPE',
    `Content-Encoding ${JSON.stringify(coding.slice(0, 60)).slice(0, -1)}`,
    { body, headers: { 'Content-Encoding': coding } },
  ],
)

describeEveryAdapter('bad headers', (adapter) => {
  it('D1 every operation rejects a body without a Content-Type', async () => {
    const pair = await openPair(adapter)
    await forEachCase(withBody, async (each) => {
      const { line, sent } = lineOf(each)
      const response = await expectRejectedUnchanged(pair, [
        'D1',
        line,
        '415 UNSUPPORTED_MEDIA_TYPE',
        'Request body has no Content-Type',
        { ...sent, contentType: null },
      ])
      expect(response.headers.get(ACCEPTED_IN[each.method] ?? '')).toBe('application/json')
    })
    await expectConsistent(pair.api)
  })

  it('rejects other content types and says which one it accepts', () =>
    expectAllRejected(adapter, otherTypes, ({ headers }) =>
      expect(headers.get('accept-post')).toBe('application/json'),
    ))

  it('D4 accepts every notation of JSON in UTF-8', async () => {
    const pair = await openPair(adapter)
    await forEachCase(
      [
        'application/json; charset=utf-8',
        'APPLICATION/JSON',
        'application/json;charset=UTF-8',
        'application/json ; Charset="utf-8"',
        'application/json;\tcharset=utf-8',
        'application/json; charset=utf8',
        'application/json; profile=x',
      ],
      async (contentType) => {
        resetPair(pair)
        await expectAccepted(pair, 'POST /pets', 201, created, { contentType, body })
        await expectAccepted(pair, 'GET /pets/4', 200, created)
      },
    )
  })

  it('rejects an Accept header that excludes JSON', () => expectAllRejected(adapter, excludingJson))

  it('D7 every operation checks Accept', async () => {
    const pair = await openPair(adapter)
    await forEachCase(operations, async (each) => {
      resetPair(pair)
      const { line, sent } = lineOf(each)
      const headers = { Accept: 'application/xml' }
      await expectRejectedUnchanged(pair, ['D7', line, '406 NOT_ACCEPTABLE', '"application/xml"', { ...sent, headers }])
      expect((await sendToPair(pair, line, sent)).status).toBe(each.success)
      await expectConsistent(pair.api)
    })
  })

  it('rejects every content coding', () =>
    expectAllRejected(adapter, codings, ({ headers }) => {
      expect(headers.get('accept-encoding')).toBe('identity')
      expect(headers.get('accept-post')).toBe('application/json')
    }))

  it('accepts an empty content coding', async () => {
    const pair = await openPair(adapter)
    const { line, sent } = lineOf(operation('createPet'))
    await expectAccepted(pair, line, 201, created, { ...sent, headers: { 'Content-Encoding': '' } })
  })

  it('D27 ignores range and conditional headers', async () => {
    const pair = await openPair(adapter)
    await forEachCase(
      [
        { Range: 'bytes=0-1' },
        { Range: 'bytes=5-1' },
        { 'If-Modified-Since': 'Thu, 01 Jan 2099 00:00:00 GMT' },
        { 'If-None-Match': '*' },
        { Range: 'bytes=0-1', 'If-Range': '"x"', 'If-Modified-Since': 'Thu, 01 Jan 2099 00:00:00 GMT' },
      ] as Record<string, string>[],
      async (headers) => {
        resetPair(pair)
        const plain = await pair.api.get('/pets')
        const response = await expectAccepted(pair, 'GET /pets', 200, STARTING_DATA.fixtures.pets, { headers })
        expect(contractHeaders(response)).toEqual(contractHeaders(plain))
        const { line, sent } = lineOf(operation('createPet'))
        await expectAccepted(pair, line, 201, created, { ...sent, headers })
      },
    )
  })
})
