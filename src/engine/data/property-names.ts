import type { RandomSource } from '../../lib/random.js'
import { draw, drawText, drawTime, drawWord, FORMATS, HEX } from './formats.js'

type Text = string | readonly string[] | ((random: RandomSource) => string)
type Table<Value> = readonly (readonly [RegExp, Value])[]

const FIRST_NAMES = ['Ada', 'Ben', 'Chloe', 'Daniel', 'Emma', 'Felix', 'Grace', 'Hugo']
const LAST_NAMES = ['Berg', 'Clark', 'Diaz', 'Evans', 'Fischer', 'Garcia', 'Haddad', 'Ito']

const capital = (random: RandomSource) => drawWord(random).replace(/^./, (letter) => letter.toUpperCase())

/** The end of a property's name in snake case, and a text for it, which may be the name of a format. The first that fits is used. */
const TEXTS: Table<Text> = [
  [/email(_address)?$/, 'email'],
  [/(first|given)_?name$/, FIRST_NAMES],
  [/(last|family|sur)_?name$/, LAST_NAMES],
  [
    /(full|display|owner|customer)_?name$|^author$/,
    (random) => `${draw(random, FIRST_NAMES)} ${draw(random, LAST_NAMES)}`,
  ],
  [/user(_?name)?$|login$|slug$/, (random) => `${drawWord(random)}-${drawWord(random)}`],
  [/file_?name$/, (random) => `${drawWord(random)}.pdf`],
  [/host(_?name)?$|domain(_name)?$/, 'hostname'],
  [/name$|title$|label$|subject$|company$/, (random) => `${capital(random)} ${drawWord(random)}`],
  [
    /description$|summary$|comment$|message$|body$|content$|note$|bio$|(^|_)text$/,
    (random) => `${capital(random)} ${drawWord(random)} and ${drawWord(random)} ${drawWord(random)}.`,
  ],
  [/city$|town$/, ['Amsterdam', 'Berlin', 'Lisbon', 'Oslo', 'Toronto', 'Vienna']],
  [/country_?code$/, ['AT', 'CA', 'DE', 'NL', 'NO', 'PT']],
  [/country$/, ['Austria', 'Canada', 'Germany', 'Netherlands', 'Norway', 'Portugal']],
  [/_ip$|^ip$|ip_?address$/, 'ipv4'],
  [/street$|address(_?1)?$|line_?1$/, (random) => `${1 + Math.floor(random() * 99)} ${capital(random)} Street`],
  [/zip(_?code)?$|post(al)?_?code$/, (random) => drawText(random, '123456789', 5)],
  [/phone(_?number)?$|mobile$/, 'phone'],
  [/ur[li]$|href$|link$|website$|avatar$|image$|photo$/, 'uri'],
  [/uuid$|guid$/, 'uuid'],
  [/currency(_?code)?$/, ['EUR', 'GBP', 'USD']],
  [/language(_?code)?$|locale$/, ['de', 'en', 'nl']],
  [/time_?zone$/, 'Europe/Amsterdam'],
  [/colou?r$/, 'color'],
  [/version$/, (random) => `1.${Math.floor(random() * 20)}.0`],
  [/(content|media|mime)_?type$/, 'text/plain'],
  [/price$|amount$|cost$|balance$/, 'decimal'],
  [/token$|secret$|key$|hash$|sha$/, (random) => drawText(random, HEX, 32)],
  [/_at$|time(stamp)?$|^(created|updated)(_on)?$/, 'date-time'],
  [/date$|birthday$/, 'date'],
  [/status$/, ['active', 'pending']],
  [/_id$|^id$/, (random) => drawText(random, HEX, 12)],
]

/** A realistic text for a property of this name. Returns undefined if the name is not a usual one. */
export function textForName(name: string, random: RandomSource): string | undefined {
  const text = find(TEXTS, name)
  if (typeof text === 'function') return text(random)
  return typeof text === 'string' ? (FORMATS[text]?.make(random) ?? text) : text && draw(random, text)
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
  [/year$/, [2000, 2025]],
  [/rating$|score$|stars$/, [1, 5]],
  [/percent(age)?$/, [0, 100]],
]

/** A realistic range of numbers for a property of this name. */
export function rangeForName(name: string, random: RandomSource): Range | undefined {
  const range = find(RANGES, name)
  if (range !== null) return range
  const time = drawTime(random)
  return [time, time]
}

function find<Value>(table: Table<Value>, name: string): Value | undefined {
  const plain = name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/\W+/g, '_')
    .toLowerCase()
  // The items of a list have its name, in the plural.
  const singular = plain.replace(/s$/, '')
  return table.find(([pattern]) => pattern.test(plain) || pattern.test(singular))?.[1]
}
