import { once } from '../lib/once.js'
import { yaml } from './generated/openapi-yaml.js'
import { parseYaml } from './yaml.js'

/** A document in full, as it is served: for those who read it. A contract works by an outline of it. */
export interface ServedDocument {
  readonly yaml: string
  readonly document: object
}

/** The service's. */
export const openapi = serve(yaml)

/** The control plane's own, which hardly anybody asks for: it is loaded for those who do. */
export const loadAdminDocument = once(async () => serve((await import('./generated/admin-yaml.js')).yaml))

function serve(text: string): ServedDocument {
  const document = once(() => parseYaml(text) as object)
  return {
    yaml: text,
    get document() {
      return document()
    },
  }
}
