import type { EncryptedProtocol, RequestHeaders } from '../contract/messages.js'
import type { HandlerResponse } from '../service.js'
import type { AnyCollections, StoredRecord } from './additions.js'
import type { ResourceOperation } from './resource.js'
import type { ServiceResource } from './service-resource.js'
import type { Tools } from './value-maker.js'

/** A valid request to an operation of a resource, and the store it reads and changes. */
export interface ResourceContext {
  /**
   * The records by the name of their resource. Ids are strings here, and so are references in records: look up what the record
   * refers to that `standard` passes to its function, not what the body has.
   */
  readonly store: AnyCollections
  readonly options: { readonly rules: 'on' | 'off' }
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: RequestHeaders
  /** Missing for plain HTTP. */
  readonly protocol?: EncryptedProtocol | undefined
  /** As it was sent: an id may be a number. */
  readonly body: unknown
  readonly at: number
  readonly base: string
}

/**
 * Called with a record that is about to be stored, and returns what is stored instead. It may throw an ApiError, as long as
 * it has changed nothing, and change other records. If it returns the record that is there already, nothing is stored.
 */
export type Change<R = StoredRecord> = (next: R) => R

/** Implements an operation of a resource. */
export type GenericHandler = (context: ResourceContext, change?: Change) => HandlerResponse

/** What a handler is made for, and from. */
export interface HandlerParts {
  readonly resource: ServiceResource
  readonly operation: ResourceOperation
  /** The resources of the service. */
  readonly all: readonly ServiceResource[]
  readonly tools: Tools
}
