import fc from 'fast-check'
import { HEADERS, MEMBERS, METHODS, QUERY_NAMES, QUERY_VALUES, SEGMENTS, VALUES } from './odd-values.js'
import { type FuzzRequest, toByteText, withHeader } from './request.js'

/** One change that makes a request invalid or unusual. */
export type RequestMutation = (request: FuzzRequest) => FuzzRequest

const from = (values: readonly string[]) => fc.constantFrom(...values)
const latin = fc.string({
  unit: fc
    .integer({ min: 32, max: 255 })
    .filter((code) => code < 127 || code > 160)
    .map((code) => String.fromCharCode(code)),
  maxLength: 12,
})

/** JSON of any shape, with unusual numbers and names. */
const JSON_TEXT = fc.oneof(
  fc.json({ stringUnit: 'binary', maxDepth: 4 }),
  fc.bigInt().map(String),
  fc.double().map((value) => JSON.stringify(value)),
  fc.nat(4).map((power) => `[${Array(10 ** power).fill('0')}]`),
  fc.nat(4).map((power) => `{${Array.from({ length: 10 ** power }, (_, index) => `"k${index}":${index}`)}}`),
  from(VALUES),
)

const METHOD = from(METHODS).map((method) => (request: FuzzRequest) => ({ ...request, method }))

const SEGMENT = fc
  .tuple(fc.nat(4), fc.oneof({ weight: 5, arbitrary: from(SEGMENTS) }, fc.webSegment({ size: 'small' })), fc.nat(1))
  .map(([place, segment, removed]) =>
    changePath((path) => {
      const segments = path.split('/')
      return segments.toSpliced(1 + (place % segments.length), removed, segment).join('/')
    }),
  )

const ESCAPE = fc.nat(30).map((place) =>
  changePath((path) => {
    const at = 1 + (place % Math.max(1, path.length - 1))
    return path.slice(0, at) + path.slice(at, at + 1).replace(/[a-z0-9_]/i, escaped) + path.slice(at + 1)
  }),
)

const QUERY = fc
  .tuple(
    from(QUERY_NAMES),
    fc.option(fc.oneof({ weight: 5, arbitrary: from(QUERY_VALUES) }, fc.webQueryParameters({ size: 'small' }))),
    fc.oneof({ weight: 20, arbitrary: fc.constant(1) }, fc.constantFrom(2, 3, 300)),
  )
  .map(([name, value, times]) => (request: FuzzRequest) => {
    const pair = encodeURI(value === null ? name : `${name}=${value}`).replaceAll('%25', '%')
    const mark = request.target.includes('?') ? '&' : '?'
    return { ...request, target: request.target + mark + Array(times).fill(pair).join('&') }
  })

const HEADER = fc.oneof(
  ...Object.entries(HEADERS).map(([name, values]) =>
    fc
      .option(
        fc.oneof(
          { weight: 5, arbitrary: from(values) },
          latin.map((text) => text.trim()),
        ),
      )
      .map((value) => (request: FuzzRequest) => withHeader(request, name, value ?? undefined)),
  ),
)

const BODY = fc.option(JSON_TEXT.map(toByteText), { freq: 8 }).map(
  (text) =>
    ({ body: _, ...rest }: FuzzRequest) =>
      text === null ? rest : { ...rest, body: text },
)

const VALUE = fc.tuple(fc.nat(8), fc.oneof(from(VALUES), JSON_TEXT).map(toByteText)).map(([at, text]) =>
  changeBody((body) => {
    const places = [...body.matchAll(/:("(?:[^"\\]|\\.)*"|[^,{}[\]"]+)/g)]
    const place = places[at % Math.max(1, places.length)]
    if (place === undefined) return text
    return `${body.slice(0, place.index + 1)}${text}${body.slice(place.index + place[0].length)}`
  }),
)

const MEMBER = from(MEMBERS).map((member) =>
  changeBody((body) => body.replace('{', () => (body.startsWith('{}') ? `{${member}` : `{${member},`))),
)

const CUT = fc.nat(99).map((percent) => changeBody((body) => body.slice(0, placeIn(body, percent))))

const BYTE = fc.tuple(fc.nat(99), fc.nat(255)).map(([percent, byte]) =>
  changeBody((body) => {
    const at = placeIn(body, percent)
    return body.slice(0, at) + String.fromCharCode(byte) + body.slice(at)
  }),
)

const NEST = fc
  .tuple(fc.constantFrom(1, 2, 63, 64, 65, 1000, 20_000), fc.constantFrom(['[', ']'] as const, ['{"a":', '}'] as const))
  .map(([levels, [open, close]]) => changeBody((body) => open.repeat(levels) + (body || '0') + close.repeat(levels)))

/** Any mutation; subtle changes of the body are more frequent. */
export const REQUEST_MUTATION: fc.Arbitrary<RequestMutation> = fc.oneof(
  { weight: 2, arbitrary: METHOD },
  { weight: 3, arbitrary: SEGMENT },
  { weight: 1, arbitrary: ESCAPE },
  { weight: 4, arbitrary: QUERY },
  { weight: 5, arbitrary: HEADER },
  { weight: 2, arbitrary: BODY },
  { weight: 5, arbitrary: VALUE },
  { weight: 3, arbitrary: MEMBER },
  { weight: 1, arbitrary: CUT },
  { weight: 2, arbitrary: BYTE },
  { weight: 1, arbitrary: NEST },
)

function changePath(change: (path: string) => string): RequestMutation {
  return (request) => {
    const [path = '', ...query] = request.target.split('?')
    return { ...request, target: [change(path).replaceAll(' ', '%20'), ...query].join('?') }
  }
}

function changeBody(change: (body: string) => string): RequestMutation {
  return (request) => ({ ...request, body: change(request.body ?? '') })
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`
}

function placeIn(body: string, percent: number): number {
  return Math.floor((body.length * percent) / 100)
}
