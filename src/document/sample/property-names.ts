import type { RandomSource } from '../../lib/random.js'
import { RANGES, type Range, TEXTS, type TextFormat, type TextKind } from '../words/properties.js'
import { draw, drawText, FORMATS, HEX } from './formats.js'
import type { TimeOf } from './times.js'
import * as words from './words.js'

type Text = readonly string[] | ((random: RandomSource, time?: () => number) => string)
type Table<Value> = readonly (readonly [RegExp, Value])[]

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const adjective = (random: RandomSource) => draw(random, words.ADJECTIVES)
const noun = (random: RandomSource) => draw(random, words.NOUNS)
const person = (random: RandomSource) => `${draw(random, words.FIRST_NAMES)} ${draw(random, words.LAST_NAMES)}`
const company = (random: RandomSource) => `${draw(random, words.LAST_NAMES)} ${draw(random, words.COMPANY_TYPES)}`
const oneOfEach = (random: RandomSource, lists: readonly (readonly string[])[]) =>
  lists.map((list) => draw(random, list)).join(' ')
const product = (random: RandomSource) =>
  oneOfEach(random, [words.PRODUCT_ADJECTIVES, words.PRODUCT_MATERIALS, words.PRODUCTS])
const job = (random: RandomSource) => oneOfEach(random, [words.JOB_LEVELS, words.JOB_AREAS, words.JOBS])
const sentence = (random: RandomSource) =>
  `${capital(draw(random, words.VERBS))} the ${adjective(random)} ${noun(random)} before the ${noun(random)}.`
const slug = (random: RandomSource) => `${adjective(random)}-${noun(random)}`

/** Lists to choose from, and functions. */
const TEXTS_OF: Readonly<Record<TextKind, Text>> = {
  firstName: words.FIRST_NAMES,
  lastName: words.LAST_NAMES,
  userName: (random) => `${slug(random)}${1 + Math.floor(random() * 99)}`,
  slug,
  fileName: (random) => `${noun(random)}.pdf`,
  bookTitle: words.BOOK_TITLES,
  person,
  bookAuthor: words.BOOK_AUTHORS,
  bookGenre: words.BOOK_GENRES,
  publisher: words.PUBLISHERS,
  company,
  product,
  dish: words.DISHES,
  ingredient: words.INGREDIENTS,
  city: words.CITIES,
  countryCode: words.COUNTRY_CODES,
  country: words.COUNTRIES,
  state: words.STATES,
  street: (random) => `${1 + Math.floor(random() * 99)} ${draw(random, words.STREETS)}`,
  department: words.DEPARTMENTS,
  job,
  name: (random) => `${capital(adjective(random))} ${noun(random)}`,
  sentence,
  postcode: (random) => drawText(random, '123456789', 5),
  timeZone: words.TIME_ZONES,
  isbn: (random) => `978${drawText(random, '0123456789', 10)}`,
  version: (random) => `1.${Math.floor(random() * 20)}.0`,
  mediaType: () => 'text/plain',
  token: (random) => drawText(random, HEX, 32),
  noun,
  id: (random) => drawText(random, HEX, 12),
}

/** A realistic text for a property of this name. Returns undefined if the name is not a usual one. */
export function textForName(
  name: string,
  owner: string,
  random: RandomSource,
  time: (() => number) | undefined,
): string | undefined {
  const found = find(TEXTS, name, owner)
  if (found === undefined) return undefined
  const text = typeof found === 'object' ? found : isKind(found) ? TEXTS_OF[found] : FORMATS[found]?.make
  return typeof text === 'function' ? text(random, time) : text && draw(random, text)
}

const isKind = (text: TextFormat | TextKind): text is TextKind => Object.hasOwn(TEXTS_OF, text)

/** A realistic range of numbers for a property of this name. */
export function rangeForName(name: string, timeOf: TimeOf): Range | undefined {
  const range = find(RANGES, name)
  if (range !== null) return range
  const time = Math.floor(timeOf(name) / 1000)
  return [time, time]
}

/** Whether a name says how its values look. */
export const isUsualName = (name: string, owner: string, isNumber: boolean) =>
  (isNumber ? find(RANGES, name) : find(TEXTS, name, owner)) !== undefined

/** The rows that names have, and a bound for how many are kept: a record has the same names as the one before it. */
const known = new Map<string, unknown>()
const MAX_KNOWN = 10_000

function find<Value>(table: Table<Value>, name: string, owner = ''): Value | undefined {
  const key = `${table.length}/${owner}/${name}`
  if (known.has(key)) return known.get(key) as Value | undefined
  if (known.size >= MAX_KNOWN) known.clear()
  const value = search(table, name, owner)
  known.set(key, value)
  return value
}

function search<Value>(table: Table<Value>, name: string, owner: string): Value | undefined {
  const plain = toSnakeCase(name)
  const owned = `${toSnakeCase(owner)}_${plain}`
  // The items of a list have its name, in the plural.
  const names = [plain, owned, plain.replace(/s$/, '')]
  return table.find(([pattern]) => names.some((each) => pattern.test(each)))?.[1]
}

function toSnakeCase(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/\W+/g, '_')
    .toLowerCase()
}
