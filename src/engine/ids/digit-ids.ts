import type { Id } from '../../lib/int64.js'
import { compareTexts } from './compare-texts.js'
import { countedBy } from './counting-sequence.js'
import type { IdKind } from './kind.js'

const DIGITS = /^[0-9]+$/

/** Digits in a string. They are sorted as numbers; `007` and `7` are different ids. */
export const DIGIT_IDS: IdKind = {
  read: (value) => (typeof value === 'string' && DIGITS.test(value) ? (value as Id) : undefined),
  toJson: String,
  compare(a, b) {
    const [one, other] = [withoutZeros(a), withoutZeros(b)]
    return one.length - other.length || compareTexts(one, other) || a.length - b.length
  },
  ...countedBy((number) => String(number) as Id),
}

const withoutZeros = (digits: string) => digits.replace(/^0+/, '')
