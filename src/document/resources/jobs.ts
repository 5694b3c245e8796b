import { partsOf, propertiesIn } from '../schema/facts.js'
import type { Schema } from '../schema/schema.js'
import { DONE, FAILED, WAITING, WORKING } from '../words/jobs.js'
import { STATE } from '../words/new-values.js'
import { normalize, wordsOf } from './names.js'

/** The states of work that goes on by itself. */
export interface Job {
  /** The property with the state. */
  readonly property: string
  readonly waiting?: string | undefined
  readonly working: string
  readonly done: string
}

/**
 * Records are jobs if clients cannot set their state, and it can say that something is being done, is done and has failed. An
 * order can be in progress, too, but does not fail.
 */
export function findJob(record: Schema, writable: readonly string[]): Job | undefined {
  for (const [property, schema] of propertiesIn(record)) {
    if (writable.includes(property) || !STATE.test(wordsOf(property).at(-1) ?? '')) continue
    const values = [...partsOf(schema)].flatMap((part) => part.enum ?? []).filter((value) => typeof value === 'string')
    const find = (pattern: RegExp) => values.find((value) => pattern.test(normalize(value)))
    const [waiting, working, done] = [find(WAITING), find(WORKING), find(DONE)]
    if (working !== undefined && done !== undefined && find(FAILED) !== undefined)
      return { property, ...(waiting !== undefined && { waiting }), working, done }
  }
  return undefined
}
