import type { Caller, CallResult } from './caller.js'
import type { RecordFactory } from './record-factory.js'
import { WriteRefused } from './write-guard.js'

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

/** Whether a request failed, with any status. If it was accepted, that is already reported: its effects need not be. */
export function isRejected({ status }: CallResult): boolean {
  return status >= 400
}

/**
 * Makes a call for each item, and leaves out those that are refused because they might touch someone else's record.
 * Throws if all of them are.
 */
export async function forEachAllowed<T>(items: readonly T[], call: (item: T) => Promise<unknown>): Promise<void> {
  const refused: WriteRefused[] = []
  for (const item of items) {
    try {
      await call(item)
    } catch (error) {
      if (!(error instanceof WriteRefused)) throw error
      refused.push(error)
    }
  }
  if (refused[0] && refused.length === items.length) throw refused[0]
}
