export { MockError, type MockErrorCode } from '../../engine/contract/errors.js'
export { connect } from './connect.js'
export type { Async, AsyncRemovable, ClientJournal, ConnectOptions, PetstoreClient } from './types.js'
