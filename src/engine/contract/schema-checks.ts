import { parseDateTime } from '../../lib/date-time.js'
import { isEqualJson } from '../../lib/equal-json.js'
import { isInt64 } from '../../lib/int64.js'

const isDateTime = (text: string) => parseDateTime(text) !== undefined

/** What the functions of schemas call, whether they are compiled now or before. */
export const CHECKS = {
  /** By their names. Others are not checked. */
  formats: {
    int32: { type: 'number', validate: (value: number) => value >= -(2 ** 31) && value < 2 ** 31 },
    date: (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && isDateTime(`${text}T00:00:00Z`),
    email: /^[^\s@]+@[^\s@]+$/,
    ipv4: /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/,
    uri: /^[a-z][a-z\d+.-]*:\S*$/i,
    uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    'date-time': isDateTime,
  },
  isInt64,
  isEqual: isEqualJson,
  /** In code points. */
  lengthOf: (text: string) => [...text].length,
  hasOwnProperty: Object.prototype.hasOwnProperty,
} as const
