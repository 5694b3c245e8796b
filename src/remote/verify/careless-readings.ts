import type { ServiceResource } from '../../engine/resources/service-resource.js'
import { decodePercent } from '../../lib/decode-percent.js'
import { type Id, parseId } from '../../lib/int64.js'

/** The ids of records that a careless service might take a text for. Only numbers can be read in several ways. */
export function carelessReadings({ id: { kind }, ids }: ServiceResource, text: string): Id[] {
  if (kind.type !== 'uuid' && kind.type !== 'text') return readCarelessly(text)
  const id = ids.read(decodePercent(text))
  return id === undefined ? [] : [id]
}

/**
 * The ids that a careless service might take a text for: by reading it with `Number` or `parseInt`, by taking the first
 * digits, by rounding it to a double, by cutting it down to 32 or 64 bits, or by reading what it does not understand as 0.
 */
export function readCarelessly(text: string): Id[] {
  const decoded = decodePercent(text)
  const [digits = '0'] = /-?\d+/.exec(decoded) ?? []
  const read = [
    ...[Number(decoded), Number.parseFloat(decoded), Number.parseInt(decoded, 10)].map(toInteger),
    BigInt(digits),
    parseBigInt(decoded),
  ]
  const rounded = read.map((value) => toInteger(Number(value)))
  const all = [...read, ...rounded].flatMap((value) => [
    value,
    value < MIN ? MIN : value > MAX ? MAX : value,
    BigInt.asIntN(64, value),
    BigInt.asIntN(32, value),
    BigInt.asUintN(32, value),
  ])
  return [...new Set(all)].flatMap((value) => parseId(String(value)) ?? [])
}

const [MIN, MAX] = [-(2n ** 63n), 2n ** 63n - 1n]

const toInteger = (value: number): bigint => (Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n)

function parseBigInt(text: string): bigint {
  try {
    return BigInt(text)
  } catch {
    return 0n
  }
}
