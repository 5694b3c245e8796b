export type { RequestRecord, ServerOptions } from './options.js'
export { type PetstoreServer, startServer } from './server.js'
