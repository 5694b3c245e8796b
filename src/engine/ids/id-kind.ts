import type { IdDescription } from '../resources/resource.js'
import { DIGIT_IDS } from './digit-ids.js'
import { INT64_IDS } from './int64-ids.js'
import { createIntegerIds } from './integer-ids.js'
import type { IdKind } from './kind.js'
import { createTextIds } from './text-ids.js'
import { createUuidIds } from './uuid-ids.js'

export type { IdKind }

export function createIdKind(description: IdDescription, collection: string): IdKind {
  switch (description.type) {
    case 'int64':
      // Those of a range start in it.
      return description.minimum === undefined &&
        description.maximum === undefined &&
        description.multipleOf === undefined
        ? INT64_IDS
        : { ...INT64_IDS, createSequence: createIntegerIds(description).createSequence }
    case 'integer':
      return createIntegerIds(description)
    case 'uuid':
      return createUuidIds(collection)
    case 'digits':
      return DIGIT_IDS
    case 'text':
      return createTextIds(description)
  }
}
