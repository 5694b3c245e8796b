import type { CallResult } from '../../tools/verify/caller.js'
import { type Check, type Context, reads as readsAny, writes as writesAny } from '../../tools/verify/check.js'
import type { OperationId } from '../types.js'
import { createPetstoreRecords, type PetstoreRecords } from './records.js'

/** What a check of the Pet Store works with. */
export type PetstoreContext = Omit<Context, keyof PetstoreRecords> & PetstoreRecords

type Run = (context: PetstoreContext) => Promise<void>

const withRecords = (run: Run) => (context: Context) => run({ ...context, ...createPetstoreRecords(context) })

/** A check that only reads. */
export const reads = (operation: OperationId, name: string, run: Run): Check =>
  readsAny(operation, name, withRecords(run))

/** A check that creates, changes or deletes records of its own. */
export const writes = (operation: OperationId, name: string, run: Run): Check =>
  writesAny(operation, name, withRecords(run))

/** Whether a request failed, with any status. If it was accepted, that is already reported: its effects need not be. */
export function isRejected({ status }: CallResult): boolean {
  return status >= 400
}
