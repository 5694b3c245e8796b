import type { Contract } from '../contract/contract.js'

/** A complete OpenAPI document, as it is served. */
export interface ServedDocument {
  readonly yaml: string
  readonly document: object
}

/** What the admin API knows about the service. The document of the admin API describes the service's state, too. */
export interface AdminDocuments {
  /** The contract of the admin API. */
  readonly contract: Contract
  listScenarios(): readonly object[]
  loadServed(): Promise<{ readonly service: ServedDocument; readonly admin: ServedDocument }>
}
