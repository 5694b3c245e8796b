import type { StoreOperationId } from '../engine/contract/types.js'
import type { Bench, Outcome } from './bench.js'
import type { Stock } from './stock.js'

/** One thing that the contract says of an operation, and how to find out whether a service does it. */
export interface Check {
  readonly operation: StoreOperationId
  /** Reads as a sentence behind the operation's name. */
  readonly name: string
  /** Whether it only reads; what does not is left out where nothing may be changed. */
  readonly reads: boolean
  run(bench: Bench, stock: Stock): Promise<void>
}

export function reads(operation: StoreOperationId, name: string, run: Check['run']): Check {
  return { operation, name, reads: true, run }
}

export function writes(operation: StoreOperationId, name: string, run: Check['run']): Check {
  return { operation, name, reads: false, run }
}

/** Whether a request was refused, be it the wrong way: where it was not, that is what is wrong, and not its effects. */
export function isRefused({ status }: Outcome): boolean {
  return status >= 400
}
