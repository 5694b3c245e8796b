import type { MockErrorCode } from '../src/engine/contract/errors.js'
import type { ErrorCode } from '../src/petstore/errors.js'

/** What the reference says of names that the code has no sentence for. The compiler asks for one for each of them. */

export const EXIT_CODES = [
  ['0', 'Success. `serve` was stopped by a signal, `verify` found no differences.'],
  [
    '1',
    'Failure: the port is in use, the fixture file is invalid, `verify` found differences or changed records, or got no response.',
  ],
  ['2', 'Usage error: an unknown command or flag, or an invalid value.'],
] as const

/** The codes of refusals, as sentences behind "when". */
export const REFUSALS = {
  BAD_REQUEST: 'the request cannot be read as HTTP, or its `Host` is no host name',
  INVALID_REQUEST: 'path, query, header or body is not what the document says; a path that cannot be decoded',
  MALFORMED_BODY: 'the body is not UTF-8, not JSON, or empty where one is needed',
  UNAUTHORIZED: 'the control plane asks for a token, and this is not it',
  FORBIDDEN_ORIGIN: 'a page of another origin or site asks',
  ROUTE_NOT_FOUND: 'there is no such path',
  CATEGORY_NOT_FOUND: 'no category has the id in the path',
  ORDER_NOT_FOUND: 'no order has the id in the path',
  PET_NOT_FOUND: 'no pet has the id in the path, of an inventory entry too',
  ENTRY_NOT_FOUND: 'the journal has no such entry, or no longer',
  FAULT_NOT_FOUND: 'there is no such fault rule',
  SANDBOX_NOT_FOUND: 'there is no sandbox of that name to delete',
  SNAPSHOT_NOT_FOUND: 'there is no snapshot of that name',
  METHOD_NOT_ALLOWED: 'the path is known, the method is not one of it; `Allow` lists them',
  NOT_ACCEPTABLE: '`Accept` leaves no room for what would be answered',
  REQUEST_TIMEOUT: 'the request did not arrive in time',
  CATEGORY_IN_USE: 'a category that has pets is to be deleted',
  INSUFFICIENT_STOCK: 'an order asks for more than is in stock',
  INVALID_TRANSITION: 'a pet cannot move from its status to that one; the message says the way',
  ORDER_COMPLETE: 'a complete order is to be changed or cancelled',
  PET_IN_USE: 'a pet with open orders is to be deleted',
  PET_NOT_AVAILABLE: 'an order is for a pet that is pending or sold',
  OPERATION_SUNSET: "the store's clock has passed the sunset date, with `sunset: 'enforce'`",
  BODY_TOO_LARGE: 'the body is larger than the limit',
  URI_TOO_LONG: 'path and query are longer than the limit',
  UNSUPPORTED_MEDIA_TYPE: 'a body is not declared as JSON, or has a content coding',
  EXPECTATION_FAILED: 'an `Expect` other than `100-continue`',
  MISDIRECTED_REQUEST: '`Host` names a host that the server does not answer for',
  INVALID_QUANTITY: 'an order of less than 1, or a stock of less than 0',
  UNKNOWN_CATEGORY: 'the body refers to a category that there is not',
  UNKNOWN_PET: 'the body refers to a pet that there is not',
  INVALID_FAULT: 'a fault rule contradicts itself, or no request can meet it',
  INVALID_STATE: 'a state breaks a reference or a rule, or was made for another document',
  INVALID_TIME: 'the clock would leave the years 0000 to 9999',
  LIMIT_REACHED: 'there are as many fault rules or snapshots as are kept',
  UNKNOWN_OPERATION: 'a fault rule names an operation that there is not',
  UNKNOWN_SCENARIO: 'a reset names a scenario that there is not',
  HEADERS_TOO_LARGE: 'the headers are more, or larger, than the limit',
  INTERNAL_ERROR: 'a fault of the mock itself, which names the operation, or one that was asked for',
  NOT_IMPLEMENTED: 'a transfer coding other than `chunked`',
  VERSION_NOT_SUPPORTED: 'another version of HTTP than 1.1 or 1.0',
} satisfies Record<ErrorCode, string>

/** The codes of a `MockError`, as sentences behind "when". */
export const MISUSES = {
  CALLBACK_FAILED: '`onRequest`, an event listener or another callback threw something that is no error',
  CANNOT_LISTEN: 'the server cannot have its port or address',
  FAULT_NOT_FOUND: '`faults.remove` names a rule that there is not',
  FOREIGN_SNAPSHOT: '`restore` is given a snapshot of another pet store',
  INVALID_DATA: "`data` is asked for what the schemas or the store's rules forbid",
  INVALID_FAULT: 'a fault rule is not well-formed, contradicts itself, or no request can meet it',
  INVALID_FIXTURE: 'fixtures cannot be used; `problems` lists everything that is wrong',
  INVALID_OPTION: 'an option or an argument is not what it must be, or there is none of that name',
  INVALID_OVERRIDE: 'an override cannot be used, threw, or answered outside the document',
  INVALID_STATE: 'a state breaks a reference or a rule, or was made for another document',
  INVALID_TIME: 'the clock would leave the years 0000 to 9999',
  LIMIT_REACHED: 'there are as many fault rules or snapshots as are kept',
  LIFECYCLE_WARNING: 'an operation was used that `failOn` names',
  NOT_READY: 'the world is still being generated: wait for `petstore.ready`',
  SANDBOX_NOT_FOUND: '`sandboxes.delete` names one that there is not',
  SNAPSHOT_NOT_FOUND: '`snapshots.restore` or `snapshots.delete` names one that there is not',
  UNHANDLED_REQUEST: 'the code under test sent a request to another address, which was stopped',
  UNKNOWN_OPERATION: 'an operationId that the document does not have',
  UNKNOWN_SCENARIO: 'a scenario that there is not',
  WORKER_UNUSABLE: 'the service worker script is missing, or of another version of msw',
} satisfies Record<MockErrorCode, string>

/** Names that explain themselves where they are declared, but not in a table. */
export const UNCOMMENTED: Readonly<Record<string, string>> = {
  createPetstore: 'A pet store in memory, for code that takes a `fetch` function, and for arranging data by hand.',
  expect: "Vitest's `expect`, with the matchers for a pet store.",
  'Sandbox.restore': 'Back to a moment that `snapshot` returned, as often as wanted.',
  'Controls.clock': "The store's clock: runs with the machine's until a test takes it in hand.",
  'Petstore.options': 'The options it was made with, defaults filled in.',
  'PetstoreServer.port': 'The port it listens on, also where 0 was asked for.',
  'PetstoreServer.host': 'The address it is bound to.',
}
