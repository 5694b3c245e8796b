import fc from 'fast-check'
import { type Asked, toByteText, withHeader } from './asked.js'
import { HEADERS, MEMBERS, METHODS, QUERY_NAMES, QUERY_VALUES, SEGMENTS, VALUES } from './oddities.js'

/** One thing that is wrong, or merely odd, about a request. */
export type Bend =
  | { readonly bend: 'method'; readonly to: string }
  | { readonly bend: 'segment'; readonly at: number; readonly to: string; readonly how: 'replace' | 'insert' }
  | { readonly bend: 'escape'; readonly at: number }
  | { readonly bend: 'query'; readonly name: string; readonly value: string | null; readonly times: number }
  | { readonly bend: 'header'; readonly name: string; readonly value: string | null }
  | { readonly bend: 'body'; readonly to: string | null }
  | { readonly bend: 'value'; readonly at: number; readonly to: string }
  | { readonly bend: 'member'; readonly text: string }
  | { readonly bend: 'cut'; readonly at: number }
  | { readonly bend: 'byte'; readonly at: number; readonly byte: number }
  | { readonly bend: 'nest'; readonly levels: number; readonly open: '[' | '{"a":' }

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

/** JSON of any shape, its numbers and names as odd as JSON allows. */
const JSON_TEXT = fc.oneof(
  fc.json({ stringUnit: 'binary', maxDepth: 4 }),
  fc.bigInt().map(String),
  fc.double().map((value) => JSON.stringify(value)),
  nat(4).map((power) => `[${Array(10 ** power).fill('0')}]`),
  nat(4).map((power) => `{${Array.from({ length: 10 ** power }, (_, index) => `"k${index}":${index}`)}}`),
  from(VALUES),
)

/** Any bend, the ones of the body with less hope of being noticed more often. */
export const BEND: fc.Arbitrary<Bend> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ bend: fc.constant('method' as const), to: from([...METHODS, 'get', 'FOO']) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      bend: fc.constant('segment' as const),
      at: nat(4),
      to: fc.oneof({ weight: 5, arbitrary: from(SEGMENTS) }, fc.webSegment({ size: 'small' })),
      how: fc.constantFrom('replace' as const, 'insert' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ bend: fc.constant('escape' as const), at: nat(30) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      bend: fc.constant('query' as const),
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
        bend: fc.constant('header' as const),
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
    arbitrary: fc.record({ bend: fc.constant('body' as const), to: fc.option(JSON_TEXT.map(toByteText), { freq: 8 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      bend: fc.constant('value' as const),
      at: nat(8),
      to: fc.oneof(from(VALUES), JSON_TEXT).map(toByteText),
    }),
  },
  { weight: 3, arbitrary: fc.record({ bend: fc.constant('member' as const), text: from(MEMBERS) }) },
  { weight: 1, arbitrary: fc.record({ bend: fc.constant('cut' as const), at: nat(99) }) },
  { weight: 2, arbitrary: fc.record({ bend: fc.constant('byte' as const), at: nat(99), byte: nat(255) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      bend: fc.constant('nest' as const),
      levels: fc.constantFrom(1, 2, 63, 64, 65, 1000, 20_000),
      open: fc.constantFrom('[' as const, '{"a":' as const),
    }),
  },
)

export function apply(asked: Asked, bend: Bend): Asked {
  switch (bend.bend) {
    case 'method':
      return { ...asked, method: bend.to }
    case 'segment':
      return bendPath(asked, (path) => {
        const segments = path.split('/')
        const at = 1 + (bend.at % segments.length)
        return segments.toSpliced(at, bend.how === 'replace' ? 1 : 0, bend.to).join('/')
      })
    case 'escape':
      return bendPath(asked, (path) => {
        const at = 1 + (bend.at % Math.max(1, path.length - 1))
        return path.slice(0, at) + path.slice(at, at + 1).replace(/[a-z0-9_]/i, escaped) + path.slice(at + 1)
      })
    case 'query': {
      const pair = bend.value === null ? bend.name : `${bend.name}=${bend.value}`
      const pairs = Array(bend.times).fill(encodeURI(pair).replaceAll('%25', '%')).join('&')
      return { ...asked, target: `${asked.target}${asked.target.includes('?') ? '&' : '?'}${pairs}` }
    }
    case 'header':
      return withHeader(asked, bend.name, bend.value ?? undefined)
    default:
      return bendBody(asked, bend)
  }
}

function bendPath(asked: Asked, bend: (path: string) => string): Asked {
  const [path = '', ...query] = asked.target.split('?')
  return { ...asked, target: [bend(path).replaceAll(' ', '%20'), ...query].join('?') }
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`
}

type BodyBend = Extract<Bend, { bend: 'body' | 'value' | 'member' | 'cut' | 'byte' | 'nest' }>

function bendBody(asked: Asked, bend: BodyBend): Asked {
  const { body: old = '', ...rest } = asked
  const body = bendText(old, bend)
  return body === null ? rest : { ...rest, body }
}

function bendText(body: string, bend: BodyBend): string | null {
  switch (bend.bend) {
    case 'body':
      return bend.to
    case 'value': {
      const places = [...body.matchAll(/:("(?:[^"\\]|\\.)*"|[^,{}[\]"]+)/g)]
      const place = places[bend.at % Math.max(1, places.length)]
      if (place === undefined) return bend.to
      return `${body.slice(0, place.index + 1)}${bend.to}${body.slice(place.index + place[0].length)}`
    }
    case 'member':
      return body.replace('{', () => (body.startsWith('{}') ? `{${bend.text}` : `{${bend.text},`))
    case 'cut':
      return body.slice(0, placeIn(body, bend.at))
    case 'byte': {
      const at = placeIn(body, bend.at)
      return body.slice(0, at) + String.fromCharCode(bend.byte) + body.slice(at)
    }
    case 'nest':
      return nested(body || '0', bend.levels, bend.open)
  }
}

function placeIn(body: string, percent: number): number {
  return Math.floor((body.length * percent) / 100)
}

function nested(body: string, levels: number, open: '[' | '{"a":'): string {
  return open.repeat(levels) + body + (open === '[' ? ']' : '}').repeat(levels)
}
