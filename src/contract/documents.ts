import { createContract } from './contract.js'
import { document as controlDocument } from './generated/control-document.js'
import { validators as controlValidators } from './generated/control-validators.js'
import { document as openapiDocument } from './generated/openapi-document.js'
import { validators as openapiValidators } from './generated/openapi-validators.js'
import { hash, yaml } from './generated/openapi-yaml.js'
import { parseYaml } from './yaml.js'

const wholeDocument = once(() => parseYaml(yaml) as object)

/** The service's document, as it is served. */
export const openapi = {
  yaml,
  hash,
  get document(): object {
    return wholeDocument()
  },
}

/** A contract holds no state of any pet store, so all of them share the one that is made first. */
export const storeContract = once(() => createContract(openapiDocument, openapiValidators))
export const controlContract = once(() => createContract(controlDocument, controlValidators))

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
