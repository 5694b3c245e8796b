import type { IdDescription } from '../resources/resource.js'
import { DIGIT_IDS } from './digit-ids.js'
import { INT64_IDS } from './int64-ids.js'
import { createIntegerIds } from './integer-ids.js'
import type { IdKind } from './kind.js'
import { createTextIds } from './text-ids.js'
import { UUID_IDS } from './uuid-ids.js'

export type { IdKind }

export function createIdKind(description: IdDescription): IdKind {
  switch (description.type) {
    case 'int64':
      return INT64_IDS
    case 'integer':
      return createIntegerIds(description)
    case 'uuid':
      return UUID_IDS
    case 'digits':
      return DIGIT_IDS
    case 'text':
      return createTextIds(description)
  }
}
