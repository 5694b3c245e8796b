import type { ServedDocument } from '../engine/service.js'
import { once } from '../lib/once.js'
import { json } from './generated/openapi-json.js'
import { yaml } from './generated/openapi-yaml.js'

/** The complete OpenAPI document, as it is served. The contract works with a shorter version of it. */
export const openapi: Required<ServedDocument> = {
  yaml,
  get document() {
    return document()
  },
}

const document = once(() => JSON.parse(json) as object)
