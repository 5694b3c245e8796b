import type { RandomSource } from '../../lib/random.js'
import { draw, drawText, FORMATS, HEX } from './formats.js'
import type { TimeOf } from './sample-times.js'
import * as words from './words.js'

type Text = string | readonly string[] | ((random: RandomSource) => string)
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

/**
 * The end of a property's name in snake case, after the name of what it belongs to, and a text for it, which may be the name
 * of a format. The first that fits is used.
 */
const TEXTS: Table<Text> = [
  [/email(_address)?$/, 'email'],
  [/(first|given)_?name$/, words.FIRST_NAMES],
  [/(last|family|sur)_?name$/, words.LAST_NAMES],
  [/user_?name$|login$|nick_?name$|handle$/, (random) => `${slug(random)}${1 + Math.floor(random() * 99)}`],
  [/slug$/, slug],
  [/file_?name$/, (random) => `${noun(random)}.pdf`],
  [/host(_?name)?$|domain(_name)?$/, 'hostname'],
  [/book_(title|name)$/, words.BOOK_TITLES],
  [/(full|display|real)_?name$|^contact$|^assignee$/, person],
  [/(owner|customer|user|person|people|member|employee|contact|patient|student|teacher|vet|guest)_?name$/, person],
  [/author(_name)?$/, words.BOOK_AUTHORS],
  [/genre(_name)?$/, words.BOOK_GENRES],
  [/publisher(_name)?$/, words.PUBLISHERS],
  [/(company|organi[sz]ation|vendor|supplier|brand|manufacturer|employer)(_?name)?$/, company],
  [/(product|article|merchandise)_?(name|title)$|^product$/, product],
  [/(dish|meal|recipe|menu_item)_?(name|title)$|^dish$/, words.DISHES],
  [/ingredient(_name)?$/, words.INGREDIENTS],
  [/(city|town|place)(_name)?$/, words.CITIES],
  [/country_?code$/, words.COUNTRY_CODES],
  [/country(_name)?$/, words.COUNTRIES],
  [/(state|province)_name$|province$/, words.STATES],
  [
    /street(_name)?$|address(_?1)?$|line_?1$/,
    (random) => `${1 + Math.floor(random() * 99)} ${draw(random, words.STREETS)}`,
  ],
  [/department(_name)?$/, words.DEPARTMENTS],
  [/job_?title$|profession$|occupation$/, job],
  [/name$|title$|label$|subject$/, (random) => `${capital(adjective(random))} ${noun(random)}`],
  [/description$|summary$|comment$|message$|body$|content$|notes?$|bio$|(^|_)text$|reason$/, sentence],
  [/_ip$|^ip$|ip_?address$/, 'ipv4'],
  [/zip(_?code)?$|post(al)?_?code$/, (random) => drawText(random, '123456789', 5)],
  [/(phone|telephone)(_?number)?$|mobile$/, 'phone'],
  [/ur[li]$|href$|link$|website$|avatar$|image$|photo$/, 'uri'],
  [/uuid$|guid$/, 'uuid'],
  [/currency(_code)?$/, ['EUR', 'GBP', 'USD']],
  [/language(_?code)?$|locale$/, ['de', 'en', 'nl']],
  [/time_?zone$/, words.TIME_ZONES],
  [/colou?r$/, 'color'],
  [/isbn(_?13)?$/, (random) => `978${drawText(random, '0123456789', 10)}`],
  [/version$/, (random) => `1.${Math.floor(random() * 20)}.0`],
  [/(content|media|mime)_?type$/, 'text/plain'],
  [/price$|amount$|cost$|balance$/, 'decimal'],
  [/token$|secret$|key$|hash$|sha$/, (random) => drawText(random, HEX, 32)],
  [/_at$|time(stamp)?$|(^|_)(created|updated|modified|published)(_on)?$/, 'date-time'],
  [/date$|birthday$/, 'date'],
  [/status$/, ['active', 'pending']],
  [/tag$|keyword$|topic$/, noun],
  [/user$/, slug],
  [/_id$|^id$/, (random) => drawText(random, HEX, 12)],
]

/** A realistic text for a property of this name. Returns undefined if the name is not a usual one. */
export function textForName(
  name: string,
  owner: string,
  random: RandomSource,
  time: (() => number) | undefined,
): string | undefined {
  const text = find(TEXTS, name, owner)
  if (typeof text === 'function') return text(random)
  return typeof text === 'string' ? (FORMATS[text]?.make(random, time) ?? text) : text && draw(random, text)
}

type Range = readonly [min: number, max: number]

/** `null` stands for a time in seconds. */
const RANGES: Table<Range | null> = [
  [/_at$|timestamp$|^(created|updated)(_on)?$/, null],
  [/price$|amount$|cost$|fee$|total$|balance$/, [5, 200]],
  [/quantity$|count$/, [1, 20]],
  [/^age$/, [18, 80]],
  [/latitude$|^lat$/, [-60, 60]],
  [/longitude$|^lng$|^lon$/, [-179, 179]],
  [/pages$/, [50, 900]],
  [/year$/, [2000, 2025]],
  [/rating$|score$|stars$/, [1, 5]],
  [/percent(age)?$/, [0, 100]],
]

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
