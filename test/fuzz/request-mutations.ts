import fc from 'fast-check'
import { HEADERS, MEMBERS, METHODS, QUERY_NAMES, QUERY_VALUES, SEGMENTS, VALUES } from './odd-values.js'
import { type FuzzRequest, toByteText, withHeader } from './request.js'

/** One change that makes a request invalid or unusual. */
export type RequestMutation =
  | { readonly mutation: 'method'; readonly to: string }
  | { readonly mutation: 'segment'; readonly at: number; readonly to: string; readonly how: 'replace' | 'insert' }
  | { readonly mutation: 'escape'; readonly at: number }
  | { readonly mutation: 'query'; readonly name: string; readonly value: string | null; readonly times: number }
  | { readonly mutation: 'header'; readonly name: string; readonly value: string | null }
  | { readonly mutation: 'body'; readonly to: string | null }
  | { readonly mutation: 'value'; readonly at: number; readonly to: string }
  | { readonly mutation: 'member'; readonly text: string }
  | { readonly mutation: 'cut'; readonly at: number }
  | { readonly mutation: 'byte'; readonly at: number; readonly byte: number }
  | { readonly mutation: 'nest'; readonly levels: number; readonly open: '[' | '{"a":' }

const nat = (max: number) => fc.nat(max)
const from = (values: readonly string[]) => fc.constantFrom(...values)
const latin = fc.string({
  unit: fc
    .integer({ min: 32, max: 255 })
    .filter((code) => code < 127 || code > 160)
    .map((code) => String.fromCharCode(code)),
  maxLength: 12,
})
const header = fc.constantFrom(...Object.keys(HEADERS))

/** JSON of any shape, with unusual numbers and names. */
const JSON_TEXT = fc.oneof(
  fc.json({ stringUnit: 'binary', maxDepth: 4 }),
  fc.bigInt().map(String),
  fc.double().map((value) => JSON.stringify(value)),
  nat(4).map((power) => `[${Array(10 ** power).fill('0')}]`),
  nat(4).map((power) => `{${Array.from({ length: 10 ** power }, (_, index) => `"k${index}":${index}`)}}`),
  from(VALUES),
)

/** Any mutation; subtle changes of the body are more frequent. */
export const REQUEST_MUTATION: fc.Arbitrary<RequestMutation> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ mutation: fc.constant('method' as const), to: from([...METHODS, 'get', 'FOO']) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      mutation: fc.constant('segment' as const),
      at: nat(4),
      to: fc.oneof({ weight: 5, arbitrary: from(SEGMENTS) }, fc.webSegment({ size: 'small' })),
      how: fc.constantFrom('replace' as const, 'insert' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ mutation: fc.constant('escape' as const), at: nat(30) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      mutation: fc.constant('query' as const),
      name: from(QUERY_NAMES),
      value: fc.option(
        fc.oneof({ weight: 5, arbitrary: from(QUERY_VALUES) }, fc.webQueryParameters({ size: 'small' })),
      ),
      times: fc.oneof({ weight: 20, arbitrary: fc.constant(1) }, fc.constantFrom(2, 3, 300)),
    }),
  },
  {
    weight: 5,
    arbitrary: header.chain((name) =>
      fc.record({
        mutation: fc.constant('header' as const),
        name: fc.constant(name),
        value: fc.option(
          fc.oneof(
            { weight: 5, arbitrary: from(HEADERS[name] as string[]) },
            latin.map((text) => text.trim()),
          ),
        ),
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      mutation: fc.constant('body' as const),
      to: fc.option(JSON_TEXT.map(toByteText), { freq: 8 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      mutation: fc.constant('value' as const),
      at: nat(8),
      to: fc.oneof(from(VALUES), JSON_TEXT).map(toByteText),
    }),
  },
  { weight: 3, arbitrary: fc.record({ mutation: fc.constant('member' as const), text: from(MEMBERS) }) },
  { weight: 1, arbitrary: fc.record({ mutation: fc.constant('cut' as const), at: nat(99) }) },
  { weight: 2, arbitrary: fc.record({ mutation: fc.constant('byte' as const), at: nat(99), byte: nat(255) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      mutation: fc.constant('nest' as const),
      levels: fc.constantFrom(1, 2, 63, 64, 65, 1000, 20_000),
      open: fc.constantFrom('[' as const, '{"a":' as const),
    }),
  },
)

export function apply(request: FuzzRequest, mutation: RequestMutation): FuzzRequest {
  switch (mutation.mutation) {
    case 'method':
      return { ...request, method: mutation.to }
    case 'segment':
      return changePath(request, (path) => {
        const segments = path.split('/')
        const at = 1 + (mutation.at % segments.length)
        return segments.toSpliced(at, mutation.how === 'replace' ? 1 : 0, mutation.to).join('/')
      })
    case 'escape':
      return changePath(request, (path) => {
        const at = 1 + (mutation.at % Math.max(1, path.length - 1))
        return path.slice(0, at) + path.slice(at, at + 1).replace(/[a-z0-9_]/i, escaped) + path.slice(at + 1)
      })
    case 'query': {
      const pair = mutation.value === null ? mutation.name : `${mutation.name}=${mutation.value}`
      const pairs = Array(mutation.times).fill(encodeURI(pair).replaceAll('%25', '%')).join('&')
      return { ...request, target: `${request.target}${request.target.includes('?') ? '&' : '?'}${pairs}` }
    }
    case 'header':
      return withHeader(request, mutation.name, mutation.value ?? undefined)
    default:
      return changeBody(request, mutation)
  }
}

function changePath(request: FuzzRequest, mutation: (path: string) => string): FuzzRequest {
  const [path = '', ...query] = request.target.split('?')
  return { ...request, target: [mutation(path).replaceAll(' ', '%20'), ...query].join('?') }
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`
}

type BodyMutation = Extract<RequestMutation, { mutation: 'body' | 'value' | 'member' | 'cut' | 'byte' | 'nest' }>

function changeBody(request: FuzzRequest, mutation: BodyMutation): FuzzRequest {
  const { body: old = '', ...rest } = request
  const body = changeText(old, mutation)
  return body === null ? rest : { ...rest, body }
}

function changeText(body: string, mutation: BodyMutation): string | null {
  switch (mutation.mutation) {
    case 'body':
      return mutation.to
    case 'value': {
      const places = [...body.matchAll(/:("(?:[^"\\]|\\.)*"|[^,{}[\]"]+)/g)]
      const place = places[mutation.at % Math.max(1, places.length)]
      if (place === undefined) return mutation.to
      return `${body.slice(0, place.index + 1)}${mutation.to}${body.slice(place.index + place[0].length)}`
    }
    case 'member':
      return body.replace('{', () => (body.startsWith('{}') ? `{${mutation.text}` : `{${mutation.text},`))
    case 'cut':
      return body.slice(0, placeIn(body, mutation.at))
    case 'byte': {
      const at = placeIn(body, mutation.at)
      return body.slice(0, at) + String.fromCharCode(mutation.byte) + body.slice(at)
    }
    case 'nest':
      return nested(body || '0', mutation.levels, mutation.open)
  }
}

function placeIn(body: string, percent: number): number {
  return Math.floor((body.length * percent) / 100)
}

function nested(body: string, levels: number, open: '[' | '{"a":'): string {
  return open.repeat(levels) + body + (open === '[' ? ']' : '}').repeat(levels)
}
