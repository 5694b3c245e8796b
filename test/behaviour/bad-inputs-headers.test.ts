import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import {
  type BadInput,
  expectAccepted,
  expectRejectedUnchanged,
  lineOf,
  openPair,
  sendToPair,
  withTitle,
} from '../support/bad-inputs.js'
import { contractHeaders, operation, operations, STARTING_DATA, VALID_BODIES, withId } from '../support/operations.js'

const body = JSON.stringify(VALID_BODIES.createPet)
const created = { id: 4, ...VALID_BODIES.createPet }

/** Where a 415 says what is taken; a PUT has no header of its own for it. */
const TAKEN_IN: Readonly<Record<string, string>> = { POST: 'accept-post', PATCH: 'accept-patch', PUT: 'accept' }

const withBody = operations.filter((each) => each.body !== undefined)

/** A pet in a body of another type, or in one that says it has been encoded. */
function undeclared(item: string, ...types: string[]): BadInput[] {
  return types.map((contentType) => [
    `${item} ${contentType.slice(0, 60)}`,
    'POST /pets',
    '415 UNSUPPORTED_MEDIA_TYPE',
    `the Content-Type must be application/json in UTF-8, but is ${JSON.stringify(contentType.slice(0, 60)).slice(0, -1)}`,
    { contentType, body },
  ])
}

const types: BadInput[] = [
  ...undeclared('D2', 'text/plain', 'text/plain; charset=utf-8', 'text/json', 'text/html', 'application/octet-stream'),
  ...undeclared('D2', 'json', '*/*', 'application/*', 'text/plain; application/json', `text/${'x'.repeat(5000)}`),
  ...undeclared('D3', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'),
  ...undeclared('D5', 'application/json; charset=utf-16', 'application/json;charset=UTF-16LE'),
  ...undeclared('D5', 'application/json; charset=iso-8859-1', 'application/json; charset="utf-16"'),
  ...undeclared('D5', 'application/json; charset=utf-7', 'application/json; charset='),
  ...undeclared('D6', 'application/vnd.other+json', 'application/problem+json', 'application/merge-patch+json'),
  ...undeclared('D6', 'application/json-patch+json', 'application/jsonp', 'application/json5', 'xapplication/json'),
]

const excluding: BadInput[] = [
  ...['application/xml', 'text/html', 'text/*', 'application/json;q=0', '*/*;q=0', 'application/json;q=0, */*'],
  ...['application/vnd.api+json', 'application/yaml', 'json', 'text/html;title=", application/json, "'],
  ...[`text/${'x'.repeat(5000)}`],
].map((Accept) => [
  `D7 ${Accept.slice(0, 60)}`,
  'GET /pets',
  '406 NOT_ACCEPTABLE',
  /^the answer is application\/json, which the Accept header ".*" excludes$/,
  { headers: { Accept } },
])

const codings: BadInput[] = ['gzip', 'GZIP', 'br', 'deflate', 'zstd', 'gzip, br', 'nonsense', 'x'.repeat(5000)].map(
  (coding) => [
    `D20 ${coding.slice(0, 60)}`,
    'POST /pets',
    '415 UNSUPPORTED_MEDIA_TYPE',
    `the body has the Content-Encoding ${JSON.stringify(coding.slice(0, 60)).slice(0, -1)}`,
    { body, headers: { 'Content-Encoding': coding } },
  ],
)

describeAdapters('bad headers', (adapter) => {
  it.each(withId(withBody))('D1 a body without a Content-Type is refused by %s', async (_, each) => {
    const { line, sent } = lineOf(each)
    const response = await expectRejectedUnchanged(await openPair(adapter), [
      'D1',
      line,
      '415 UNSUPPORTED_MEDIA_TYPE',
      'the body has no Content-Type',
      { ...sent, contentType: null },
    ])
    expect(response.headers.get(TAKEN_IN[each.method] ?? '')).toBe('application/json')
  })

  it.each(withTitle(types))('%s is refused', async (_, input) => {
    const { headers } = await expectRejectedUnchanged(await openPair(adapter), input)
    expect(headers.get('accept-post')).toBe('application/json')
  })

  it.each([
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/json;charset=UTF-8',
    'application/json ; Charset="utf-8"',
    'application/json;\tcharset=utf-8',
    'application/json; charset=utf8',
    'application/json; profile=x',
  ])('D4 %s is JSON in UTF-8', async (contentType) => {
    const pair = await openPair(adapter)
    await expectAccepted(pair, 'POST /pets', 201, created, { contentType, body })
    await expectAccepted(pair, 'GET /pets/4', 200, created)
  })

  it.each(withTitle(excluding))('%s excludes every answer', async (_, input) => {
    await expectRejectedUnchanged(await openPair(adapter), input)
  })

  it.each(withId(operations))('D7 Accept is minded by %s', async (_, each) => {
    const { line, sent } = lineOf(each)
    const headers = { Accept: 'application/xml' }
    const pair = await openPair(adapter)
    await expectRejectedUnchanged(pair, ['D7', line, '406 NOT_ACCEPTABLE', '"application/xml"', { ...sent, headers }])
    expect((await sendToPair(pair, line, sent)).status).toBe(each.success)
  })

  it.each(withTitle(codings))('%s is no coding that is taken', async (_, input) => {
    const { headers } = await expectRejectedUnchanged(await openPair(adapter), input)
    expect(headers.get('accept-encoding')).toBe('identity')
  })

  it.each([
    { Range: 'bytes=0-1' },
    { Range: 'bytes=-5' },
    { Range: 'bytes=5-1' },
    { Range: 'lines=1' },
    { 'If-Modified-Since': 'Thu, 01 Jan 2099 00:00:00 GMT' },
    { 'If-None-Match': '*' },
    { 'If-Match': '"x"' },
    { 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    { Range: 'bytes=0-1', 'If-Range': '"x"', 'If-Modified-Since': 'Thu, 01 Jan 2099 00:00:00 GMT' },
  ])('D27 %j asks for less than the whole, and gets the whole', async (headers) => {
    const pair = await openPair(adapter)
    const plain = await pair.api.get('/pets')
    const response = await expectAccepted(pair, 'GET /pets', 200, STARTING_DATA.fixtures.pets, { headers })
    expect(contractHeaders(response)).toEqual(contractHeaders(plain))
    const { line, sent } = lineOf(operation('createPet'))
    await expectAccepted(pair, line, 201, created, { ...sent, headers })
  })
})
