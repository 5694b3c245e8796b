import type { MockErrorCode } from '../src/engine/contract/errors.js'
import type { ErrorCode } from '../src/petstore/errors.js'

/** Descriptions for the reference. The compiler requires one for every code. */

export const EXIT_CODES = [
  ['0', 'Success. `serve` was stopped by a signal, `verify` found no differences.'],
  [
    '1',
    'Failure: the port is in use, the fixture file is invalid, `verify` found differences or changed records, or got no response.',
  ],
  ['2', 'Usage error: an unknown command or flag, or an invalid value.'],
] as const

/** When each error code is returned. */
export const ERROR_DESCRIPTIONS = {
  BAD_REQUEST: 'the request is not valid HTTP, or its `Host` is not a host name',
  INVALID_REQUEST: 'path, query, header or body violates the OpenAPI document, or the path cannot be decoded',
  MALFORMED_BODY: 'the body is not UTF-8, not JSON, or empty although one is required',
  SANDBOX_REQUIRED: 'the request names no sandbox, with `requireSandbox`',
  UNAUTHORIZED: 'the admin API requires a token, which is missing or wrong',
  FORBIDDEN_ORIGIN: 'the request comes from a page of another origin or site',
  ROUTE_NOT_FOUND: 'the path is unknown',
  CATEGORY_NOT_FOUND: 'no category has the id in the path',
  ORDER_NOT_FOUND: 'no order has the id in the path',
  PET_NOT_FOUND: 'no pet has the id in the path; also for inventory entries',
  ENTRY_NOT_FOUND: 'the journal has no such entry, or it has been evicted',
  COLLECTION_NOT_FOUND: 'there is no collection with this name',
  FAULT_NOT_FOUND: 'there is no fault rule with that id',
  OVERRIDE_NOT_FOUND: 'there is no override with this id',
  RECORD_NOT_FOUND: 'the collection has no record with this id',
  SANDBOX_NOT_FOUND: 'there is no sandbox with that name to delete',
  SNAPSHOT_NOT_FOUND: 'there is no snapshot with that name',
  METHOD_NOT_ALLOWED: 'the path does not support the method; `Allow` lists the supported ones',
  NOT_ACCEPTABLE: '`Accept` does not allow the content type of the response',
  REQUEST_TIMEOUT: 'the request did not arrive in time',
  CATEGORY_IN_USE: 'a category with pets cannot be deleted',
  INSUFFICIENT_STOCK: 'an order exceeds the stock',
  INVALID_TRANSITION: 'the status of a pet cannot change in this way; the message says how it can',
  ORDER_COMPLETE: 'a complete order cannot be changed or cancelled',
  PET_IN_USE: 'a pet with open orders cannot be deleted',
  PET_NOT_AVAILABLE: 'an order is for a pet that is pending or sold',
  OPERATION_SUNSET: "the mock's clock has passed the sunset date, with `sunset: 'enforce'`",
  BODY_TOO_LARGE: 'the body exceeds the limit',
  URI_TOO_LONG: 'path and query exceed the limit',
  UNSUPPORTED_MEDIA_TYPE: 'a body is not declared as JSON, or has a content coding',
  EXPECTATION_FAILED: '`Expect` is not `100-continue`',
  MISDIRECTED_REQUEST: '`Host` names a host that is not allowed',
  INVALID_QUANTITY: 'an order quantity below 1, or a stock below 0',
  UNKNOWN_CATEGORY: 'the body refers to an unknown category',
  UNKNOWN_PET: 'the body refers to an unknown pet',
  INVALID_DATA: 'data arranged over `/__admin/data` violates a schema or a store rule',
  INVALID_FAULT: 'a fault rule contradicts itself, or no request can match it',
  INVALID_OVERRIDE: "an override is invalid, or its response violates the service's OpenAPI document",
  INVALID_STATE: 'a state has a broken reference, violates a store rule, or was made for another OpenAPI document',
  INVALID_TIME: 'the new time would be outside the years 0000 to 9999',
  LIMIT_REACHED: 'the maximum number of fault rules, overrides or snapshots has been reached',
  UNKNOWN_OPERATION: 'a fault rule or an override names an unknown operation',
  UNKNOWN_SCENARIO: 'a reset names an unknown scenario',
  HEADERS_TOO_LARGE: 'the headers exceed a limit',
  INTERNAL_ERROR: 'a bug in the mock, with a message that names the operation, or a simulated fault',
  NOT_IMPLEMENTED: 'the transfer coding is not `chunked`',
  VERSION_NOT_SUPPORTED: 'the HTTP version is not 1.1 or 1.0',
} satisfies Record<ErrorCode, string>

/** When a `MockError` with each code is thrown. */
export const MOCK_ERROR_DESCRIPTIONS = {
  CALLBACK_FAILED: '`onRequest`, an event listener or another callback threw a value that is not an `Error`',
  CANNOT_CONNECT: '`connect` found no mock at the address',
  CANNOT_LISTEN: 'the server cannot listen on its port or address',
  FAULT_NOT_FOUND: '`faults.remove` or `faults.update` names an unknown rule',
  FOREIGN_SNAPSHOT: '`restore` is called with a snapshot of another mock',
  INVALID_DATA: '`data` is used in a way that the schemas or the store rules forbid',
  INVALID_FAULT: 'a fault rule is malformed, contradicts itself, or no request can match it',
  INVALID_FIXTURE: 'fixtures are invalid; `problems` lists everything that is wrong',
  INVALID_OPTION: 'an option or an argument is unknown or invalid',
  INVALID_OVERRIDE: 'an override is invalid, threw, or returned a response that violates the OpenAPI document',
  INVALID_REQUEST: 'from `petstore-mock/client`: the mock rejected a value as malformed',
  INVALID_STATE: 'a state has a broken reference, violates a store rule, or was made for another OpenAPI document',
  INVALID_TIME: 'the new time would be outside the years 0000 to 9999',
  LIMIT_REACHED: 'the maximum number of fault rules, overrides or snapshots has been reached',
  LIFECYCLE_WARNING: 'an operation was used that `failOn` names',
  NOT_READY: 'the starting data is still being generated: await `petstore.ready`',
  OTHER_MSW_SERVER: 'your own msw server is listening, and was not passed as the option `server`',
  OVERRIDE_NOT_FOUND: '`overrides.remove` names an unknown override',
  RECORD_NOT_FOUND: 'from `petstore-mock/client`: there is no record with this id',
  SANDBOX_NOT_FOUND: '`sandboxes.delete` names an unknown sandbox',
  SNAPSHOT_NOT_FOUND: '`snapshots.restore` or `snapshots.delete` names an unknown snapshot',
  TIMEOUT: '`journal.waitFor` did not see enough requests in time',
  UNAUTHORIZED: 'from `petstore-mock/client`: the admin API requires a token',
  UNHANDLED_REQUEST: 'the code under test sent a request to another address, which was blocked',
  UNKNOWN_OPERATION: 'the operationId is unknown',
  UNKNOWN_SCENARIO: 'the scenario is unknown',
  UNSUPPORTED_MSW: 'the installed msw is older than 2.15',
  UNUSED_RULE: 'a fault rule or an override was never applied, with `failOnUnused`',
  WORKER_UNUSABLE: 'the service worker script is missing, or belongs to another version of msw',
} satisfies Record<MockErrorCode, string>

/** Descriptions of names whose declarations need no comment. */
export const UNCOMMENTED: Readonly<Record<string, string>> = {
  expect: "Vitest's `expect`, with the matchers for a mock.",
  'PetstoreServer.port': 'The port it listens on; with port 0, the port that was picked.',
  'PetstoreServer.host': 'The address it is bound to.',
}
