import type { RandomSource } from '../../lib/random.js'
import { BIRTH, FIRST, LAST } from '../words/times.js'
import { drawTime } from './formats.js'

/** When a record was created, and last changed. In milliseconds. */
export type Times = readonly [created: number, updated: number]

/** The time that a property of a record has by its name, in milliseconds. */
export type TimeOf = (name: string) => number

const YEAR_MS = 365 * 24 * 60 * 60 * 1000

/** The times of one record, which are in sequence: what is created is changed later. */
export function createTimes(random: RandomSource, given?: Times): TimeOf {
  let times = given
  return (name) => {
    times ??= drawTimes(random)
    const [created, updated] = times
    if (FIRST.test(name)) return created
    if (LAST.test(name)) return updated
    if (BIRTH.test(name)) return toSecond(created - (20 + random() * 50) * YEAR_MS)
    return created === updated ? created : toSecond(created + random() * (updated - created))
  }
}

const toSecond = (time: number) => Math.floor(time / 1000) * 1000

function drawTimes(random: RandomSource): Times {
  const times = [drawTime(random) * 1000, drawTime(random) * 1000]
  return [Math.min(...times), Math.max(...times)]
}
