import type { ServedDocument } from '../engine/service.js'
import { json } from '../generated/petstore/openapi-json.js'
import { yaml } from '../generated/petstore/openapi-yaml.js'
import { once } from '../lib/functions.js'

/** The complete OpenAPI document, as it is served. The contract works with a shorter version of it. */
export const openapi: Required<ServedDocument> = {
  yaml,
  get document() {
    return document()
  },
}

const document = once(() => JSON.parse(json) as object)
