import type { RandomSource } from '../../lib/random.js'
import { parseDateTime } from '../../lib/time.js'
import { CHECKS } from '../validate/schema-compiler.js'
import { FIRST_NAMES, LAST_NAMES, NOUNS } from './words.js'

/** Generated dates are in the year before this one, whatever the machine's clock says. */
const REFERENCE = Date.UTC(2026, 0, 1)
const YEAR = 365 * 24 * 60 * 60

/** Seconds since 1970. */
export function drawTime(random: RandomSource): number {
  return REFERENCE / 1000 - 1 - Math.floor(random() * YEAR)
}

export function draw<Item>(random: RandomSource, items: ArrayLike<Item>): Item {
  return items[Math.floor(random() * items.length)] as Item
}

/** As many random characters of an alphabet. */
export function drawText(random: RandomSource, alphabet: string, length: number): string {
  return Array.from({ length }, () => draw(random, alphabet)).join('')
}

export const HEX = '0123456789abcdef'

export const drawWord = (random: RandomSource) => draw(random, NOUNS)

const toDateTime = (random: RandomSource, time = () => drawTime(random) * 1000) =>
  new Date(time()).toISOString().replace('.000', '')
const drawUuid = (random: RandomSource) => 'xxxxxxxx-xxxx-4xxx-axxx-xxxxxxxxxxxx'.replace(/x/g, () => draw(random, HEX))
const drawUrl = (random: RandomSource) => `https://example.com/${drawWord(random)}/${Math.floor(random() * 1000)}`
const drawEmail = (random: RandomSource) =>
  `${draw(random, FIRST_NAMES)}.${draw(random, LAST_NAMES)}@example.com`.toLowerCase().replace(/[^a-z.@]/g, '')
const drawHost = (random: RandomSource) => `${drawWord(random)}.example.com`
const drawIpv4 = (random: RandomSource) => `192.0.2.${1 + Math.floor(random() * 254)}`
const drawDigits = (random: RandomSource) => String(1 + Math.floor(random() * 1_000_000))

interface Format {
  /** `time` is what a time should be, in milliseconds. Default: at random. */
  readonly make: (random: RandomSource, time?: () => number) => string
  /** Missing if every string will do. */
  readonly matches?: (text: string) => boolean
}

const format = (make: Format['make'], pattern: RegExp): Format => ({ make, matches: (text) => pattern.test(text) })

const URI = format(drawUrl, CHECKS.formats.uri)
const BYTES = format(
  (random) => btoa(drawWord(random)),
  /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/,
)
const DIGITS = format(drawDigits, /^-?\d{1,20}$/)
const EMAIL = format(drawEmail, CHECKS.formats.email)
const HOST = format(
  drawHost,
  /^(?=.{1,253}$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i,
)
const isDate = (text: string) => parseDateTime(`${text}T00:00:00Z`) !== undefined

/** Strings of a format, by its name in a schema. */
export const FORMATS: Readonly<Record<string, Format>> = {
  date: { make: (random, time) => toDateTime(random, time).slice(0, 10), matches: isDate },
  'date-time': { make: toDateTime, matches: (text) => parseDateTime(text) !== undefined },
  time: {
    make: (random, time) => toDateTime(random, time).slice(11),
    matches: (text) => parseDateTime(`2026-01-01T${text}`) !== undefined,
  },
  duration: format(
    (random) => `PT${1 + Math.floor(random() * 59)}M`,
    /^P(?!$)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/,
  ),
  email: EMAIL,
  'idn-email': EMAIL,
  uri: URI,
  iri: URI,
  url: URI,
  'uri-reference': format(drawUrl, /^[^\s\\<>"{}|^`]*$/),
  'uri-template': format(drawUrl, /^[^\s\\<>"{}|^`]*$/),
  hostname: HOST,
  'idn-hostname': HOST,
  ipv4: format(drawIpv4, CHECKS.formats.ipv4),
  ipv6: format((random) => `2001:db8::${drawText(random, HEX.slice(1), 4)}`, /^(?=.*:.*:)[\da-f:.]{2,45}$/i),
  cidr: { make: () => '192.0.2.0/24' },
  mac: { make: (random) => `02:00:00:00:00:${drawText(random, HEX, 2)}` },
  uuid: format(drawUuid, CHECKS.formats.uuid),
  byte: BYTES,
  base64: BYTES,
  'json-pointer': format((random) => `/${drawWord(random)}`, /^(?:\/(?:[^~/]|~[01])*)*$/),
  regex: { make: () => '^[a-z]+$' },
  password: { make: (random) => `Pa55-${drawWord(random)}-${drawText(random, HEX, 4)}` },
  phone: { make: (random) => `+1-202-555-01${drawText(random, '0123456789', 2)}` },
  color: { make: (random) => `#${drawText(random, HEX, 6)}` },
  decimal: { make: (random) => `${Math.floor(random() * 100)}.50` },
  int32: DIGITS,
  int64: DIGITS,
  uint64: format(drawDigits, /^\d{1,20}$/),
  snowflake: format((random) => `10${drawText(random, '123456789', 16)}`, /^\d+$/),
}
