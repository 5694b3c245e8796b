import fc from 'fast-check'
import { STARTING_DATA } from '../support/operations.js'

/** Valid HTTP bytes, and the changes made to them. Positions are thousandths of the length. */
export interface Mutated {
  readonly from: string
  readonly mutations: readonly ByteMutation[]
  /** The positions at which the bytes are split into several writes. */
  readonly cuts: readonly number[]
}

export type ByteMutation =
  | { readonly do: 'flip'; readonly at: number; readonly bit: number }
  | { readonly do: 'set'; readonly at: number; readonly byte: number }
  | { readonly do: 'insert'; readonly at: number; readonly text: string; readonly onLine: boolean }
  | { readonly do: 'delete'; readonly at: number; readonly length: number }
  | { readonly do: 'duplicate'; readonly at: number; readonly length: number; readonly times: number }
  | { readonly do: 'splice'; readonly at: number; readonly other: string; readonly from: number }
  | { readonly do: 'cut'; readonly at: number }

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
  ...[
    '\r\n',
    '\n',
    '\r',
    '\r\n\r\n',
    '\0',
    ' ',
    '\t',
    ':',
    ',',
    ';',
    '%00',
    '%zz',
    '../',
    '//',
    '?',
    '#',
    '*',
    '\u00ff',
    '"',
  ],
  ...[
    '0\r\n\r\n',
    '5\r\nhello\r\n',
    'ffffffffffffffff\r\n',
    '-1\r\n',
    '0x5\r\n',
    'HTTP/1.1',
    'HTTP/2.0',
    'HTTP/0.9',
    'HTTP/1.1\r\n',
  ],
  ...[
    'Content-Length: 5\r\n',
    'Content-Length: 0\r\n',
    'Content-Length: -1\r\n',
    'Content-Length : 3\r\n',
    'Content-Length: 5, 5\r\n',
  ],
  ...[
    'Transfer-Encoding: chunked\r\n',
    'Transfer-Encoding: gzip, chunked\r\n',
    'Transfer-Encoding: xchunked\r\n',
    'Transfer-Encoding:\tchunked\r\n',
  ],
  ...[
    'Host: evil.example\r\n',
    'Host: localhost\r\n',
    'Expect: 100-continue\r\n',
    'Expect: x\r\n',
    'Connection: close\r\n',
    'Connection: upgrade\r\n',
  ],
  ...[
    ' folded: line\r\n',
    'X: a\r\n b\r\n',
    'Upgrade: h2c\r\n',
    'Origin: https://evil.example\r\n',
    'Sec-Fetch-Site: cross-site\r\n',
  ],
  ...[
    'Prefer: code=500\r\n',
    'X-Petstore-Sandbox: ..\r\n',
    '__proto__: x\r\n',
    'Content-Encoding: gzip\r\n',
    `X: ${'x'.repeat(9000)}\r\n`,
  ],
  ...[
    'X: y\r\n'.repeat(200),
    '[',
    '{"a":',
    '[[[[[[[[',
    '1e999',
    '9223372036854775808',
    '\\ud800',
    '\u00ef\u00bb\u00bf',
    '\u00c3\u0028',
  ],
  ...[
    'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000\u0001',
    'TRACE ',
    'CONNECT ',
  ],
]

const WHOLE = 1000
const place = fc.nat(WHOLE)
const short = fc.integer({ min: 1, max: 40 })
const sample = fc.constantFrom(...Object.keys(SAMPLES))

const BYTE_MUTATION: fc.Arbitrary<ByteMutation> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('flip' as const), at: place, bit: fc.nat(7) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('set' as const), at: place, byte: fc.nat(255) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('insert' as const),
      at: place,
      text: fc.constantFrom(...TOKENS),
      onLine: fc.constantFrom(true, true, true, false),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), at: place, length: short }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('duplicate' as const),
      at: place,
      length: short,
      times: fc.constantFrom(1, 1, 2, 50),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('splice' as const), at: place, other: sample, from: place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cut' as const), at: place }) },
)

export const MUTATED: fc.Arbitrary<Mutated> = fc.record({
  from: sample,
  mutations: fc.oneof(
    { weight: 3, arbitrary: BYTE_MUTATION.map((mutation) => [mutation]) },
    { weight: 1, arbitrary: fc.array(BYTE_MUTATION, { minLength: 2, maxLength: 4 }) },
  ),
  cuts: fc.array(place, { maxLength: 3 }),
})

/** The bytes to send. */
export function mutate({ from, mutations }: Pick<Mutated, 'from' | 'mutations'>): Uint8Array {
  return new Uint8Array(Buffer.from(mutations.reduce(apply, SAMPLES[from] ?? ''), 'latin1'))
}

function apply(text: string, mutation: ByteMutation): string {
  const at = indexIn(text, mutation.at)
  const [front, back] = [text.slice(0, at), text.slice(at)]
  switch (mutation.do) {
    case 'flip':
      return (
        front +
        back.slice(0, 1).replace(/[\s\S]/, (each) => String.fromCharCode(each.charCodeAt(0) ^ (1 << mutation.bit))) +
        back.slice(1)
      )
    case 'set':
      return front + String.fromCharCode(mutation.byte) + back.slice(1)
    case 'insert': {
      const lineStart = mutation.onLine ? text.indexOf('\n', at) + 1 : at
      return text.slice(0, lineStart) + mutation.text + text.slice(lineStart)
    }
    case 'delete':
      return front + back.slice(mutation.length)
    case 'duplicate':
      return front + back.slice(0, mutation.length).repeat(mutation.times) + back
    case 'splice': {
      const other = SAMPLES[mutation.other] ?? ''
      return front + other.slice(indexIn(other, mutation.from))
    }
    case 'cut':
      return front
  }
}

function indexIn(text: string, place: number): number {
  return Math.floor((text.length * place) / WHOLE)
}

/** Splits the bytes into several pieces. */
export function split(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = cuts.map((cut) => Math.floor((bytes.length * cut) / WHOLE)).sort((a, b) => a - b)
  return [...places, bytes.length].map((end, index) => bytes.subarray(places[index - 1] ?? 0, end))
}
