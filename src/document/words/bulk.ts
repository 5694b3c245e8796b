/** Words of paths whose operations do something to several records. */
export const BULK = /^(bulk|batch|mass|many|multiple|multi|list|array|all)$/

/** What is done to each, by words of the path. Without one, the method says it. */
export const DOING: readonly (readonly [word: RegExp, does: 'create' | 'change' | 'remove' | 'read'])[] = [
  [/^(create|add|insert|import|new)$/, 'create'],
  [/^(update|edit|modify|patch|change|upsert)$/, 'change'],
  [/^(delete|remove|destroy|deletion)$/, 'remove'],
  [/^(get|read|fetch|retrieve|lookup)$/, 'read'],
]

/** Properties of a response with what was not found, and with the numbers of what was done. Normalized. */
export const MISSING = /^(notfound|missing|unknown|failed|failures|invalid|skipped|unprocessed|rejected)(ids)?$/
export const COUNT_DONE =
  /^((number|num|count|total)(of)?)?(deleted|removed|updated|modified|changed|created|added|imported|affected|processed|succeeded|successful|success)(count|records|items|rows)?$/
export const COUNT_MISSING = /^(number|num|count|total)?(of)?(failed|failure|missing|notfound|skipped|errors?)(count)?$/
