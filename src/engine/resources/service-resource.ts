import type { IdKind } from '../../document/resources/ids/kinds.js'
import type { Resource } from '../../document/resources/resource.js'
import type { Schema } from '../../document/schema/schema.js'
import { oncePer } from '../../lib/functions.js'
import { groupBy } from '../../lib/values.js'
import type { ConditionalReference, ResourceAdditions, StoredRecord } from './additions.js'

/** A resource as the mock works with it: what the document says, and what the service adds. */
export interface ServiceResource extends Resource {
  readonly additions: ResourceAdditions<StoredRecord>
  readonly ids: IdKind
  /** Where a fixture and a response have its id. */
  readonly idPath: readonly [string, ...string[]]
  /** The name of the resource that stores its records: its own, or the one that it is a view of. */
  readonly storedIn: string
  /** The properties of a record, as clients see them. */
  readonly fields: readonly Field[]
  /** What is stored beside them and never sent: by the service alone, and all of it. */
  readonly kept: readonly string[]
  readonly hidden: readonly string[]
  /** What saved data has beside the fields. */
  readonly unsent: readonly UnsentField[]
  /** The references that are checked. */
  readonly checkedReferences: readonly CheckedReference[]
}

export interface Field {
  readonly property: string
  /** Its name in the store. */
  readonly stored: string
  readonly schema: Schema
  readonly isId: boolean
  readonly isInt64: boolean
}

/** What a record has beside the properties that clients see: saved data has it, and a fixture may. */
export interface UnsentField {
  /** Its name in saved data. */
  readonly member: string
  readonly stored: string
  /** Its own id, the id of a parent, or a value that the service or the mock keeps. */
  readonly kind: 'id' | 'parent' | 'kept'
  /** Which of the parents in the path of the resource has this id. */
  readonly level?: number
}

export interface CheckedReference extends Partial<Pick<ConditionalReference<StoredRecord>, 'when'>> {
  readonly property: string
  /** The name of the resource. */
  readonly to: string
}

type Resources = readonly ServiceResource[]

const byName = oncePer((all: Resources) => new Map(all.map((resource) => [resource.name, resource])))

const byStore = oncePer((all: Resources) => groupBy(all, ({ storedIn }) => storedIn))

/** The resource with this name. */
export function resourceNamed(all: Resources, name: string | undefined): ServiceResource | undefined {
  return byName(all).get(name ?? '')
}

/** The resources whose records this one stores, in their order. */
export function resourcesStoredIn(all: Resources, name: string): Resources {
  return byStore(all).get(name) ?? []
}
