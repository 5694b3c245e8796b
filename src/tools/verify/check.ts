import type { Caller } from './caller.js'
import type { RecordFactory } from './record-factory.js'

/** What a check works with: it calls operations, and creates the records that it needs. */
export type Context = Caller & RecordFactory

/** One thing that the contract says about an operation, and how to find out whether a service does it. */
export interface Check {
  readonly operation: string
  /** Reads as a sentence after the operation's name. */
  readonly name: string
  readonly needsWrites: boolean
  run(context: Context): Promise<void>
}

/** A check that only reads. */
export function reads(operation: string, name: string, run: Check['run']): Check {
  return { operation, name, needsWrites: false, run }
}

/** A check that creates, changes or deletes records of its own. */
export function writes(operation: string, name: string, run: Check['run']): Check {
  return { operation, name, needsWrites: true, run }
}
