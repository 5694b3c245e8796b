/** The methods that clients call the operations of a service with. */
export const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The same, and that of preflights. */
export const ALL_METHODS: readonly string[] = [...METHODS, 'OPTIONS']

/** The methods that an OpenAPI document can describe, in the order in which `Allow` names them. */
export const DOCUMENT_METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

/** Whether requests with this method change nothing, by the rules of HTTP. TRACE is left out: no client here sends it. */
export function isSafeMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}
