import fc from 'fast-check'
import { STARTING_DATA } from '../support/operations.js'

/** The bytes of HTTP requests, each as a character, and the positions at which they are split into several writes. */
export interface WireCase {
  readonly text: string
  /** In thousandths of the length. */
  readonly cuts: readonly number[]
}

const PET = '{"name":"Ivy","categoryId":2,"status":"available"}'
const JSON_BODY = 'Content-Type: application/json'

function raw(head: readonly string[], body = ''): string {
  const [line = '', ...headers] = head
  return `${[line, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n${body}`
}

function withBody(line: string, body: string, ...headers: string[]): string {
  return raw([line, JSON_BODY, `Content-Length: ${body.length}`, ...headers], body)
}

function chunked(line: string, chunks: readonly string[], trailer = ''): string {
  const body = [...chunks, ''].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}${chunk === '' ? '' : '\r\n'}`)
  return raw([line, JSON_BODY, 'Transfer-Encoding: chunked'], `${body.join('')}${trailer}\r\n`)
}

const LIST = raw(['GET /pets?limit=2&sort=-name HTTP/1.1', 'Accept: application/json'])
const CREATE = withBody('POST /pets HTTP/1.1', PET)
const IN_CHUNKS = chunked('POST /pets HTTP/1.1', [PET.slice(0, 7), PET.slice(7, 30), PET.slice(30)])

/** Valid requests of many kinds, some of them several on one connection. */
export const SAMPLES: Readonly<Record<string, string>> = {
  list: LIST,
  'get, connection closed': raw(['GET /pets/1 HTTP/1.1', 'User-Agent: x', 'Cookie: a=b', 'Connection: close']),
  head: raw(['HEAD /store/orders HTTP/1.1', 'Accept: */*']),
  create: CREATE,
  'create in chunks': IN_CHUNKS,
  'create in chunks with extension and trailer': chunked(
    'POST /store/orders HTTP/1.1',
    ['{"petId"', ':1}'],
    'X-Sum: 1\r\n',
  ).replace('\r\n{"petId"', ';a="b"\r\n{"petId"'),
  'pipelined reads': LIST + raw(['GET /store/inventory HTTP/1.1']) + LIST,
  'pipelined write and read': CREATE + LIST,
  'pipelined chunks and read': IN_CHUNKS + raw(['GET /pets/4 HTTP/1.1', 'Connection: close']),
  'kept alive': raw(['GET /categories HTTP/1.1', 'Connection: keep-alive']) + raw(['DELETE /pets/3 HTTP/1.1']),
  'write before a hidden one': withBody('PUT /pets/1 HTTP/1.1', PET) + raw(['DELETE /store/orders/1 HTTP/1.1']),
  patch: withBody('PATCH /store/orders/1 HTTP/1.1', '{"complete":true}', 'Accept-Encoding: gzip'),
  expecting: withBody('POST /categories HTTP/1.1', '{"name":"Birds"}', 'Expect: 100-continue'),
  preflight: raw(['OPTIONS /pets HTTP/1.1', 'Origin: http://localhost:3000', 'Access-Control-Request-Method: PUT']),
  'options of everything': raw(['OPTIONS * HTTP/1.1']),
  absolute: raw(['GET http://localhost/pets HTTP/1.1']),
  'version 1.0': raw(['GET /pets HTTP/1.0', 'Connection: keep-alive']),
  preferring: raw(['GET /pets HTTP/1.1', 'Prefer: code=503']),
  'from a page': raw(['GET /pets HTTP/1.1', 'Origin: http://localhost:3000', 'Sec-Fetch-Site: same-site']),
  upgrading: raw(['GET /pets HTTP/1.1', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']),
  'sandbox by header': withBody('POST /pets HTTP/1.1', PET, 'X-Petstore-Sandbox: a'),
  'sandbox by path': raw(['GET /sandbox/a/__admin/state HTTP/1.1']),
  state: withBody('PUT /__admin/state HTTP/1.1', JSON.stringify(STARTING_DATA.fixtures)),
  fault: withBody('POST /__admin/faults HTTP/1.1', '{"operation":"listPets","status":503,"times":1}') + LIST,
  clock: withBody('PUT /__admin/clock HTTP/1.1', '{"now":"2030-12-06T00:00:00Z","frozen":true}'),
  snapshot:
    withBody('POST /__admin/snapshots HTTP/1.1', '{"name":"a"}') + raw(['POST /__admin/snapshots/a/restore HTTP/1.1']),
  journal: raw(['GET /__admin/journal?limit=5 HTTP/1.1']) + raw(['DELETE /__admin/journal HTTP/1.1']),
  events: raw(['GET /__admin/events HTTP/1.1', 'Accept: text/event-stream']),
  reset: raw(['POST /__admin/reset HTTP/1.1', 'Content-Length: 0']),
  page: raw(['GET /docs HTTP/1.1', 'If-None-Match: "x"', 'Accept: text/html']),
}

/** Texts that parsers interpret differently, that end something early, or that never end it. */
const TOKENS = [
  ...['\r\n', '\n', '\r', '\r\n\r\n', '\0', ' ', '\t', ':', ',', ';', '%00', '%zz', '../', '//', '?', '#', '*'],
  ...['\u00ff', '"', '[', '{"a":', '[[[[[[[[', '1e999', '9223372036854775808', '\\ud800', '\u00ef\u00bb\u00bf'],
  ...['\u00c3\u0028', '0\r\n\r\n', '5\r\nhello\r\n', 'ffffffffffffffff\r\n', '-1\r\n', '0x5\r\n', 'TRACE ', 'CONNECT '],
  ...[
    'HTTP/1.1',
    'HTTP/2.0',
    'HTTP/0.9',
    'HTTP/1.1\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    `X: ${'x'.repeat(9000)}\r\n`,
  ],
  ...['Content-Length: 5\r\n', 'Content-Length: 0\r\n', 'Content-Length: -1\r\n', 'Content-Length : 3\r\n'],
  ...['Content-Length: 5, 5\r\n', 'Transfer-Encoding: chunked\r\n', 'Transfer-Encoding: gzip, chunked\r\n'],
  ...['Transfer-Encoding: xchunked\r\n', 'Transfer-Encoding:\tchunked\r\n', 'Content-Encoding: gzip\r\n'],
  ...[
    'Host: evil.example\r\n',
    'Host: localhost\r\n',
    'Expect: 100-continue\r\n',
    'Expect: x\r\n',
    ' folded: line\r\n',
  ],
  ...['Connection: close\r\n', 'Connection: upgrade\r\n', 'X: a\r\n b\r\n', 'X: y\r\n'.repeat(200), 'Upgrade: h2c\r\n'],
  ...['Origin: https://evil.example\r\n', 'Sec-Fetch-Site: cross-site\r\n', 'Prefer: code=500\r\n', '__proto__: x\r\n'],
  ...[
    'X-Petstore-Sandbox: ..\r\n',
    'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000\u0001',
  ],
]

const WHOLE = 1000
const place = fc.nat(WHOLE)
const short = fc.integer({ min: 1, max: 40 })
const sample = fc.constantFrom(...Object.values(SAMPLES))

function indexIn(text: string, place: number): number {
  return Math.floor((text.length * place) / WHOLE)
}

type Mutation = (text: string) => string

/** Changes some characters at a position. */
function change(at: number, length: number, toNew: (old: string) => string): Mutation {
  return (text) => {
    const start = indexIn(text, at)
    return text.slice(0, start) + toNew(text.slice(start, start + length)) + text.slice(start + length)
  }
}

function flip(bit: number): (old: string) => string {
  return (old) => (old === '' ? '' : String.fromCharCode(old.charCodeAt(0) ^ (1 << bit)))
}

function insertLine(at: number, token: string): Mutation {
  return (text) => {
    const start = text.indexOf('\n', indexIn(text, at)) + 1
    return text.slice(0, start) + token + text.slice(start)
  }
}

const times = fc.constantFrom(1, 1, 2, 50)
const token = fc.constantFrom(...TOKENS)

const MUTATION: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(place, fc.nat(7)).map(([at, bit]) => change(at, 1, flip(bit))) },
  {
    weight: 3,
    arbitrary: fc.tuple(place, fc.nat(255)).map(([at, byte]) => change(at, 1, () => String.fromCharCode(byte))),
  },
  { weight: 6, arbitrary: fc.tuple(place, token).map(([at, text]) => insertLine(at, text)) },
  { weight: 2, arbitrary: fc.tuple(place, token).map(([at, text]) => change(at, 0, () => text)) },
  { weight: 3, arbitrary: fc.tuple(place, short).map(([at, length]) => change(at, length, () => '')) },
  {
    weight: 3,
    arbitrary: fc.tuple(place, short, times).map(([at, length, n]) => change(at, length, (old) => old.repeat(n + 1))),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(place, sample, place)
      .map(([at, other, from]) => change(at, Infinity, () => other.slice(indexIn(other, from)))),
  },
  { weight: 1, arbitrary: place.map((at) => change(at, Infinity, () => '')) },
)

const MUTATIONS = fc.oneof(
  { weight: 3, arbitrary: fc.array(MUTATION, { minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.array(MUTATION, { minLength: 2, maxLength: 4 }) },
)

export const WIRE_CASES: fc.Arbitrary<WireCase> = fc.record({
  text: fc
    .tuple(sample, MUTATIONS)
    .map(([text, mutations]) => mutations.reduce((changed, mutate) => mutate(changed), text)),
  cuts: fc.array(place, { maxLength: 3 }),
})

/** The bytes to send, in several pieces. */
export function split({ text, cuts }: WireCase): Buffer[] {
  const places = cuts.map((cut) => indexIn(text, cut)).sort((a, b) => a - b)
  const bytes = Buffer.from(text, 'latin1')
  return [...places, bytes.length].map((end, index) => bytes.subarray(places[index - 1] ?? 0, end))
}
