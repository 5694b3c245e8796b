import { type Contract, createContract } from './contract.js'
import { document as controlDocument } from './generated/control-document.js'
import { hash, document as openapiDocument, yaml } from './generated/openapi-document.js'

/** The service's document, as it is served. */
export const openapi = { document: openapiDocument, yaml, hash }

/** A contract holds no state of any pet store, so all of them share the one that is compiled first. */
export const storeContract = once(() => createContract(openapiDocument))
export const controlContract = once(() => createContract(controlDocument))

function once(make: () => Contract): () => Contract {
  let made: Contract | undefined
  return () => {
    made ??= make()
    return made
  }
}
