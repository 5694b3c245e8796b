import { ENTITY_TYPE } from '@mswjs/data/lib/glossary.js'

/** Whether a value is a record of a database. */
export function isStored(value: unknown): value is object {
  return typeof value === 'object' && value !== null && ENTITY_TYPE in value
}
