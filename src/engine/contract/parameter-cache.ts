import type { Parameters } from './parameters.js'

/** The validated parameters of recent query strings of one operation. */
export interface ParameterCache {
  get(query: string): Parameters | undefined
  add(query: string, parameters: Parameters): void
}

const MAX_ENTRIES = 64
const MAX_LENGTH = 200

/** An operation with path parameters has too many different ones to be worth caching. */
export function createParameterCache(hasPathParameters: boolean): ParameterCache {
  const entries = new Map<string, Parameters>()
  return {
    get: (query) => entries.get(query),
    add(query, parameters) {
      if (hasPathParameters || query.length > MAX_LENGTH || entries.has(query)) return
      if (entries.size >= MAX_ENTRIES) entries.clear()
      entries.set(query, freeze(parameters))
    },
  }
}

/** Requests share cached parameters. */
function freeze({ path, query }: Parameters): Parameters {
  for (const value of Object.values(query)) if (Array.isArray(value)) Object.freeze(value)
  return Object.freeze({ path: Object.freeze(path), query: Object.freeze(query) })
}
