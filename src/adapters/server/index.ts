export type { ListenOptions, RequestRecord, ServerOptions, ServiceServerOptions } from './options.js'
export { type MockServer, type PetstoreServer, startServer } from './server.js'
