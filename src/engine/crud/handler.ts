import type { Contract } from '../../document/contract/contract.js'
import type { Meaning } from '../../document/operations/meaning.js'
import type { ResourceOperation } from '../../document/resources/resource.js'
import type { Schema } from '../../document/schema/schema.js'
import type { EncryptedProtocol, HandlerResponse, RequestHeaders } from '../../http/messages.js'
import type { Id } from '../../lib/int64.js'
import type { RandomSource } from '../../lib/random.js'
import type { AnyCollections, StoredRecord } from '../resources/additions.js'
import type { StoredFields } from '../resources/record-forms.js'
import type { Condition } from '../resources/selection.js'
import type { ServiceResource } from '../resources/service-resource.js'
import type { ValueMaker } from './make-values.js'
import type { ListPage } from './paging.js'

/** A valid request to an operation of a resource, and the store it reads and changes. */
export interface ResourceContext {
  /**
   * The records by the name of their resource. Ids are strings here, and so are references in records: look up what the record
   * refers to that `standard` passes to its function, not what the body has.
   */
  readonly store: AnyCollections
  readonly options: { readonly rules: 'on' | 'off' }
  /** With the ids of parents that the request names otherwise. */
  readonly path: Readonly<Record<string, unknown>>
  /** As it was sent, if that is something else. */
  readonly sentPath?: Readonly<Record<string, unknown>> | undefined
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: RequestHeaders
  /** Missing for plain HTTP. */
  readonly protocol?: EncryptedProtocol | undefined
  /** As it was sent: an id may be a number. */
  readonly body: unknown
  /** The time by the mock's clock, in milliseconds since 1970: `new Date(at)`. */
  readonly at: number
  readonly base: string
  /** Who sends it: what `authenticate` of the service returned. */
  readonly user?: StoredRecord | undefined
  /** The other mocks, for the service's own handlers, if there are any. */
  readonly services?: object | undefined
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

/** What the handler of an operation with a meaning is made for, and from. */
export interface MeaningParts<M extends Meaning = Meaning> {
  readonly meaning: M
  /** The resources of the service. */
  readonly all: readonly ServiceResource[]
  readonly tools: Tools
  /** Answers from the document's examples, else from its schema. */
  readonly standard: GenericHandler
}

/** What handlers need beside the store. */
export interface Tools {
  /** Loaded before the first request if the service has no precompiled validators, and so are `documents`. */
  readonly maker: ValueMaker | undefined
  readonly documents: DocumentTools | undefined
  /** How a value violates a schema, in sentences. The schema is named by its JSON pointer. */
  findViolations(schema: string, value: unknown): readonly string[]
}

/** What requests may ask for that no service with precompiled validators has. */
export interface DocumentTools {
  /** The `services` of handlers whose mock is connected to none. */
  readonly noServices: object
  /** Undefined if the document has none for the resource. */
  createPreconditions(resource: ServiceResource): Preconditions | undefined
  createPatch(parts: HandlerParts): ReadPatch
  /** Implements an operation that belongs to no resource. */
  createMeaningHandler(parts: MeaningParts): GenericHandler
  /** Finds the user of a request where a path stands for that one. Null if that user exists no more. */
  createCurrentUserFinder(
    resource: ServiceResource,
  ): ((context: ResourceContext) => StoredRecord | null | undefined) | undefined
  /** Why the token of a request is not valid, if the mock made it. */
  findTokenProblem(
    all: readonly ServiceResource[],
    request: Pick<ResourceContext, 'store' | 'headers'>,
    at: number,
  ): string | undefined
  /** Jobs that go on by themselves. Undefined for records that are no jobs. */
  createJobs(resource: ServiceResource, maker: ValueMaker | undefined): Jobs | undefined
  /** Puts what is known of an uploaded file into a record. Undefined for a resource without files. */
  createFileKeeper(resource: ServiceResource): ((record: StoredRecord, body: unknown) => StoredRecord) | undefined
  /** A form with the members of those parts that are JSON and stand for the record. */
  mergeParts(body: unknown): unknown
  /** The same handler, which repeats its response to a request with the same idempotency key. */
  createOncePerKey(operationId: string, contract: Contract, handle: GenericHandler): GenericHandler
  /** Leaves out what is only written inside a record; undefined if there is nothing of that kind. */
  createHide(schema: Schema): ((value: unknown) => unknown) | undefined
  createArrange(parts: ArrangeParts): Arrange
  /** Undefined for a list whose records belong to their parents otherwise, or to none. */
  createLinked(resource: ServiceResource, all: readonly ServiceResource[]): ReadLinked | undefined
  /** Undefined if nothing in a record follows from other records. */
  createFollow(resource: ServiceResource, all: readonly ServiceResource[]): Follow | undefined
  createEmbed(resource: ServiceResource, all: readonly ServiceResource[]): Embed
  createRules(resource: ServiceResource, all: readonly ServiceResource[]): Rules | undefined
  createRename(resource: ServiceResource, all: readonly ServiceResource[]): Rename | undefined
  createParentNames(resource: ServiceResource, all: readonly ServiceResource[]): ReadParentNames | undefined
  createRemoveBelow(resource: ServiceResource, all: readonly ServiceResource[], tools: Tools): RemoveBelow
  /** The conditions of query parameters that select otherwise than by the value of a property. */
  otherConditions(resource: ServiceResource, query: ResourceContext['query']): readonly Condition[]
  /** Fills in what the body of a list says about the page. */
  describePage(body: object, schema: Schema, envelope: readonly string[], page: ListPage): object
  /** Adds what the declared headers of a list say about the page. */
  addPageHeaders(headers: Record<string, string>, names: readonly string[], page: ListPage): void
}

/** Work that goes on by the mock's clock. */
export interface Jobs {
  start(record: StoredRecord, at: number): StoredRecord
  /** Lets all of them go on until now. */
  advance(context: Pick<ResourceContext, 'store' | 'at'>): void
}

/** The headers `If-Match` and `If-None-Match` of requests for one record. */
export interface Preconditions {
  /** Throws PRECONDITION_FAILED. */
  check(headers: RequestHeaders, current: StoredRecord | undefined): void
  isUnchanged(headers: RequestHeaders, current: StoredRecord): boolean
}

/** Reads what a patch changes, and the patched record; undefined for a request with fields. */
export type ReadPatch = (
  context: ResourceContext,
  current: StoredRecord,
) => { readonly changes: StoredFields; readonly json: StoredFields } | undefined

/** What a service says about the values of records, in words. */
export interface Rules {
  /** What the mock gives a new record that a client cannot give it: what it refers to. */
  givenBy(context: Pick<ResourceContext, 'store' | 'user'>): StoredFields
  /** Throws a 409 error if a record that is about to be stored has a value that is taken, or a state that cannot follow. */
  check(context: Pick<ResourceContext, 'store' | 'options'>, next: StoredRecord, current?: StoredRecord): void
}

/** Changes ids: those of records whose id is their name. */
export interface Rename {
  /** The id that a record has according to a request: another one, if it has a new name. Throws an error if that is taken. */
  nameIn(json: StoredFields, store: AnyCollections, current: StoredRecord): Id
  /** Stores a record under its new id. What refers to it refers to it still. */
  store(store: AnyCollections, current: StoredRecord, next: StoredRecord): StoredRecord
}

type Fields = Readonly<Record<string, unknown>>

/** What arranging works with. */
export interface ArrangeParts {
  /** With the further paths to the same records. */
  readonly all: readonly ServiceResource[]
  readonly contract: Pick<Contract, 'violationsOf'>
  readonly maker: ValueMaker
  readonly options: { readonly rules: 'on' | 'off' }
  readonly random: RandomSource
  store(): AnyCollections
  /** The time by the mock's clock, in milliseconds. */
  now(): number
}

/** Each function throws a MockError, and may have changed something then. */
export interface Arranger {
  create(given: Fields): StoredRecord
  update(id: Id, given: Fields): StoredRecord
  remove(id: Id): void
}

export type Arrange = (resource: ServiceResource) => Arranger

/** The values of a path, with the present names of parents that were renamed, and the ids of those that are found by other values. */
export type ReadParentNames = (context: Pick<ResourceContext, 'store' | 'path'>) => ResourceContext['path']

/** A record with what follows from other records: copies of them, and their number. */
export type Follow = (store: AnyCollections, record: StoredRecord) => StoredRecord

/** The condition of a list whose records are linked to the one that the path names. */
export type ReadLinked = (context: Pick<ResourceContext, 'store' | 'path'>) => Condition

/** Puts the records in place of their ids where a record has objects and a request has ids: `author: 7`. */
export type Embed = (store: AnyCollections, given: StoredFields) => StoredFields

/**
 * Deletes what has paths below a deleted record's only: the books of `/authors/{authorId}/books`, and what is below them. What
 * holds the record holds it no longer.
 */
export type RemoveBelow = (store: AnyCollections, id: Id) => void
