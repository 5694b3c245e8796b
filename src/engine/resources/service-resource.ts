import type { Schema } from '../contract/schema.js'
import type { IdKind } from '../ids/id-kind.js'
import type { ConditionalReference, ResourceAdditions, StoredRecord } from './additions.js'
import type { Resource } from './resource.js'

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
  /** What is stored beside them and never sent. */
  readonly hidden: readonly string[]
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

export interface CheckedReference extends Partial<Pick<ConditionalReference<StoredRecord>, 'when'>> {
  readonly property: string
  /** The name of the resource. */
  readonly to: string
}
