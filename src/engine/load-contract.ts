import type { Contract } from './contract/contract.js'

/** Imports what a contract without precompiled validators needs before the first request. */
export async function loadContract(contract: Contract): Promise<void> {
  if (!contract.isReady) contract.useTools(await import('./document-tools.js'))
}
