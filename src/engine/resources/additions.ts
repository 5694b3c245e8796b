import type { Id } from '../../lib/int64.js'
import type { RandomSource } from '../../lib/random.js'
import type { Collection } from '../store/collection.js'

/** A record as the store has it. A property that it lacks is undefined; null is a value. */
export interface StoredRecord {
  readonly id: Id
  readonly [property: string]: unknown
}

/** The collections of a store, whatever their records are. */
export type AnyCollections = Readonly<Record<string, Collection<StoredRecord, string>>>

/**
 * A function whose parameters a service may declare more precisely: the compiler does not know what the OpenAPI document
 * guarantees.
 */
export type ServiceFunction<Parameters extends unknown[], Result> = {
  call(...parameters: Parameters): Result
}['call']

/** What JSON can hold. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue }

/** What a service says about a resource because its OpenAPI document cannot say it. */
export interface ResourceAdditions<R = StoredRecord> {
  /** The path of the collection in the document. Default: that of the resource with this name. */
  readonly path?: string
  /** The same, or all paths that lead to its records: `['/projects/{projectId}/tasks', '/tasks/{taskId}']`. */
  readonly at?: string | readonly string[]
  /** The property of a record with its id: `external_id`, `metadata.name`. */
  readonly id?: string
  /** The properties of a record that repeat the ids of its parents, by path parameter; `false` if none does. */
  readonly parent?: Readonly<Record<string, string | false>>
  /** Properties that are stored and never sent, such as a password. Requests, fixtures and `data` may have them. */
  readonly hidden?: readonly string[]
  /** Properties of which no two records may have the same value. */
  readonly unique?: readonly string[]
  /** Properties that say how many records of another resource belong to a record, with the name of that resource. */
  readonly counts?: Readonly<Record<string, string>>
  /** Properties that hold any number of records of another resource, or their ids, with the name of that resource. */
  readonly links?: Readonly<Record<string, string>>
  /** Lists start with the record that was created last, unless a request sorts. Default: they are sorted by id. */
  readonly newest?: 'first'
  /** The states that may follow each state. Set by `states` of the service. */
  readonly states?: StateTable
  /** What one record is called in messages. Default: from the path. */
  readonly noun?: string
  /**
   * The properties that must hold the id of a record of another resource, with its name. Creating or changing a record
   * checks them, and what is referred to cannot be deleted. One that a client cannot send is chosen from those that there are.
   * `user` is the user of the request that creates the record.
   */
  readonly references?: Readonly<Record<string, string | ConditionalReference<R>>>
  /**
   * Values for properties that a request leaves out: creating a record adds them, replacing one keeps what it has. A
   * property that the schema of the record lacks, such as a password, is stored and never sent; fixtures and exported states
   * have it.
   */
  readonly defaults?: Readonly<Record<string, JsonValue | ServiceFunction<[record: R], unknown>>>
  /** Whether a new record gets the id that the request has, if the schema of the request has one. Default: true. */
  readonly acceptsIds?: boolean
  /** How a value of a property is stored, if not as it was sent. */
  readonly normalize?: Readonly<Record<string, (value: string) => unknown>>
  /** Query parameters of the list that select in another way than by equality with the property of their name. */
  readonly filters?: Readonly<Record<string, ServiceFunction<[record: R, value: never], boolean>>>
  /** Sorts the records into groups, which can be counted at no cost. References are groups already. */
  readonly groups?: Readonly<Record<string, ServiceFunction<[record: R], string | undefined>>>
  /** Its entries are not stored: each shows some fields of a record of another resource, and has its id. */
  readonly view?: View
  /** In a fixture, a record may describe what it refers to: the name of the property with the description. */
  readonly inline?: Inline
  /** What its error codes mean for a form with its properties: the dashboard says it next to the field. */
  readonly rejections?: Readonly<Record<string, Rejection>>
  /** Values for the fields that a call of `data.<resource>.create` leaves out. */
  readonly sample?: (random: RandomSource, given: object) => object
}

/** What a reference to the user of the request is called instead of a resource. */
export const USER = 'user'

/** By the name of a state, the states that may follow it. One that is missing is final. */
export type StateTable = Readonly<Record<string, readonly string[]>>

export interface ConditionalReference<R> {
  readonly to: string
  /** Whether the record that is referred to must exist. The service itself decides what cannot be deleted. */
  readonly when: ServiceFunction<[record: R], boolean>
}

export interface View {
  /** What the fields are that only entries show, if no entry is known: a sentence for people who pull recorded traffic. */
  readonly whenUnknown?: string
  /** The name of the resource. */
  readonly of: string
  /** The field of its record for each property of an entry. */
  readonly fields: Readonly<Record<string, string>>
}

export interface Rejection {
  readonly property: string
  /** It follows the label of the field: `enter 1 or more.` */
  readonly text: string
}

export interface Inline {
  /** The property of the fixture: `author`. */
  readonly property: string
  /** The reference that it replaces: `authorId`. */
  readonly reference: string
  /** Descriptions with the same value of this property are one record. */
  readonly by: string
}
