import type { Contract } from '../../document/contract/contract.js'

/** Imports what a contract without generated validators needs before the first request. */
export async function loadContract(contract: Contract) {
  const tools = await import('./document-tools.js')
  if (!contract.isReady) contract.useTools(await tools.withFunctions(contract.compiled))
  return tools
}
