import type { SchemaPlace } from '../schema/schema.js'
import type { Job } from './jobs.js'

/** What an operation does to the records of its collection. */
export type Role = 'list' | 'create' | 'read' | 'replace' | 'merge' | 'remove'

/** A collection of records, or a single record, as an OpenAPI document describes it. Plain data. */
export interface Resource {
  /** Unique in a service: `books`. */
  readonly name: string
  /** What one record is called in messages: `book`. */
  readonly noun: string
  /** As in the document: `/books`. */
  readonly path: string
  /** The path of one record: `/books/{bookId}`. Missing if the document has none, and for a single record. */
  readonly itemPath?: string | undefined
  /** The parameters of parents in `itemPath`, if these are not all: none in `/tasks/{taskId}` of `/projects/{projectId}/tasks`. */
  readonly itemParameters?: readonly string[] | undefined
  /** Whether there is always exactly one record, which has no id: `/settings`. */
  readonly isSingle: boolean
  /** Whether it is the one who sends the request: `/me`. It is one of the users, if the document has a collection of them. */
  readonly isMe?: boolean | undefined
  /** Set if its records are work that the service does by itself: exports, deployments. */
  readonly job?: Job | undefined
  /** Whether its records have files, which requests upload and download. */
  readonly holdsFiles?: boolean | undefined
  /** Whether its records are the people who use the service. */
  readonly isPeople?: boolean | undefined
  /** Whether clients can neither create nor list its records, or only below records of which this is true. */
  readonly hasUnknownIds?: boolean | undefined
  /** The collections that it is nested in, outermost first: `/authors/{authorId}/books`. */
  readonly parents: readonly Parent[]
  readonly id: ResourceId
  /** The schema of a record, without the envelope of a response. */
  readonly record: SchemaPlace
  /** The properties of a record that a client can set, by creating or by changing it. The mock makes the others. */
  readonly writable: readonly string[]
  readonly operations: { readonly [R in Role]?: ResourceOperation }
  /** How the list operation selects, sorts and cuts. */
  readonly list?: ListParameters | undefined
  /** The properties that hold the id of a record of another resource, with its name. */
  readonly references: Readonly<Record<string, string>>
  /** The properties that hold records of other resources, or parts of them, as objects: with the names of these. */
  readonly embedded: Readonly<Record<string, string>>
  /** Properties of requests that records have under another name: `author_id` for `author`, which is an object. */
  readonly sentAs: Readonly<Record<string, string>>
  /** The resource that keeps its records, if another path leads to the same ones: `/authors/{authorId}/books` to `books`. */
  readonly storedIn?: string | undefined
  /**
   * The properties that hold any number of records of other resources, or their ids, with the names of these. What no property
   * is called is kept beside the record.
   */
  readonly links?: Readonly<Record<string, string>> | undefined
  /** The properties that count records which belong to the one that has them. */
  readonly counts?: Readonly<Record<string, Count>> | undefined
  /** How the records of a list below a record of another resource belong to that: one holds the other. */
  readonly link?: Link | undefined
  /** That resource, and the parameters of the path that name its record, outermost first. */
  readonly below?: { readonly resource: string; readonly parameters: readonly string[] } | undefined
}

/** What a property counts: the records of a resource that belong to the one that has it. */
export interface Count {
  /** The name of the resource. */
  readonly of: string
  /** How these belong to it: their path is below it, a property of theirs has its id or a copy of it, or one holds the other. */
  readonly by: { readonly parent: string } | { readonly property: string } | { readonly link: Link }
  /** Only those whose properties have these values: `open` of `openTaskCount`. */
  readonly where?: Readonly<Record<string, unknown>> | undefined
}

/** Records of one resource that hold records of another, each any number of them: tasks and tags. */
export interface Link {
  /** The name of the resource whose records hold the others: `tasks`. */
  readonly holder: string
  /** The property with them, or with their ids, or what they are called beside the record: `tags`. */
  readonly name: string
  /** The name of the resource whose records are held. */
  readonly held: string
}

export interface Parent {
  /** The name of its resource. Missing if nobody could know its ids. */
  readonly resource?: string | undefined
  /** The path parameter with its id. */
  readonly parameter: string
  /** The property of a record that repeats this id, if it has one. */
  readonly property?: string | undefined
  /** The property of a record that has the parent as an object, and the property of that with its id: `['customer', 'id']`. */
  readonly holder?: readonly [property: string, id: string] | undefined
}

export interface ResourceId {
  /** The last parameter of `itemPath`. */
  readonly parameter?: string | undefined
  /** Where a record has it: `['id']`, or nested as `['metadata', 'name']`. Missing if a record does not contain it. */
  readonly property?: readonly string[] | undefined
  readonly kind: IdDescription
  /** What requests that attach records have as examples: starting records have these ids. */
  readonly examples?: readonly unknown[]
  /** Whether a client chooses it: it is required to create a record. */
  readonly isChosen: boolean
  /** Whether a request that creates a record may contain it. */
  readonly isAccepted: boolean
  /** Whether a client may change it: it is a name, and a request that changes a record may contain it. */
  readonly canChange: boolean
  /** The properties that a path finds a record by instead of its id: `login` and `name` in `/repos/{owner}/{repo}`. */
  readonly lookup?: readonly Lookup[] | undefined
  /** The property that a path finds a record by if it has no such id: that with the name of the parameter. */
  readonly also?: string | undefined
}

export interface Lookup {
  /** The path parameter. */
  readonly parameter: string
  /** Where a record has its value: `['name']`, or nested as `['owner', 'login']`. */
  readonly property: readonly string[]
}

/** How ids of a resource look, and how new ones are made. */
export type IdDescription =
  /** 64-bit integers, exact over the whole range. */
  | ({ readonly type: 'int64' } & IdRange)
  /** Integers that a double holds exactly. */
  | ({ readonly type: 'integer' } & IdRange)
  /** Of version 7, which sorts them by time, unless the document wants another. */
  | { readonly type: 'uuid'; readonly version?: 4 }
  /** Digits in a string. */
  | { readonly type: 'digits' }
  /** Any other string. New ones start with the prefix (`cus_`) and match the pattern. */
  | {
      readonly type: 'text'
      readonly prefix?: string | undefined
      readonly pattern?: string | undefined
      readonly minLength?: number | undefined
      readonly maxLength?: number | undefined
    }

/** The numbers that can be ids. */
export interface IdRange {
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  /** A positive integer. */
  readonly multipleOf?: number | undefined
}

export interface ResourceOperation extends SuccessShape {
  /** Method and path (`GET /books/{bookId}`) if the document has none, or if it names an earlier operation. */
  readonly operationId: string
  /** The response of a `replace` that creates a record with an unknown id, if the document declares it. */
  readonly created?: SuccessShape | undefined
  /** All statuses that the document declares, `4XX` and `default` among them. */
  readonly statuses: readonly string[]
  /** The names of its header parameters, in lower case. */
  readonly requestHeaders: readonly string[]
  /** Missing if it takes no body. */
  readonly request?: Body | undefined
}

/** The response of an operation that succeeds. */
export interface SuccessShape {
  /** 201 or 200 for `create`, 204 or 200 for `remove`. */
  readonly status: number
  /** The names of its headers. */
  readonly headers: readonly string[]
  /** Missing if it has no body. */
  readonly response?: Body | undefined
}

/** Where a body has the record, or the list of records. */
export interface Body {
  readonly mediaType: string
  /** The properties that lead to it: `[]` if the body is the record, `['data']` or `['data', 'items']` if it is enveloped. */
  readonly envelope: readonly string[]
  /** The schema of the whole body. */
  readonly schema: SchemaPlace
}

export interface ListParameters {
  /** Query parameters that select the records whose property has this value. */
  readonly filters: readonly Filter[]
  readonly paging?: Paging | undefined
  /** The query parameter that names the property to sort by, after a minus sign for descending. */
  readonly sort?: string | undefined
  /** The query parameter that says in which direction: `asc` or `desc`. */
  readonly direction?: string | undefined
  /** The query parameter with a text that a property of a record contains. */
  readonly search?: string | undefined
  /** Whether the list starts with the newest record. */
  readonly startsWithNewest?: boolean | undefined
  /** Query parameters that select the records whose property is not below or not above a value. */
  readonly ranges?: readonly Range[] | undefined
  /** Query parameters that do nothing. */
  readonly ignored?: readonly string[] | undefined
}

export interface Range extends Filter {
  readonly bound: 'minimum' | 'maximum'
  /** Whether the value itself is outside. */
  readonly isExclusive: boolean
}

export interface Filter {
  readonly parameter: string
  readonly property: string
  /** Where the property holds objects: what these are compared by. Default: `id`. */
  readonly inner?: readonly string[]
  /** Whether a value with commas is several. */
  readonly isSeveral?: boolean
  /** Values that select every record: `all`. */
  readonly everything?: readonly unknown[]
  /** The values that a record can have, where only the parameter says so: `open` and `closed`. */
  readonly values?: readonly unknown[]
  /** The value that is selected without the parameter. New records have it. */
  readonly initial?: unknown
}

export interface Paging {
  /** `offset` counts records, `page` counts pages, and a cursor is whatever the previous page said. */
  readonly style: 'offset' | 'page' | 'cursor'
  /** The query parameter for where the page starts: `offset`, `page`, `starting_after`. Missing if only the size can be chosen. */
  readonly position?: string | undefined
  /** The query parameter for the record that the page ends before: `ending_before`. */
  readonly before?: string | undefined
  /** Whether cursors are ids of records. Other cursors are made by the mock. */
  readonly isById?: boolean | undefined
  /** The query parameter for the number of records: `limit`, `per_page`. */
  readonly size?: string | undefined
  /** How many records a page has without that parameter, if the usual number is out of its bounds. */
  readonly defaultSize?: number | undefined
  /** The number of the first page. */
  readonly firstPage?: 0 | 1 | undefined
}
