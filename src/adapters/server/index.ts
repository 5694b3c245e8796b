export type {
  ListenOptions,
  RequestRecord,
  ServedServices,
  ServerOptions,
  ServiceServerOptions,
  ServicesServerOptions,
} from './options.js'
export type { ListeningServer } from './server.js'
export { type MockServer, type PetstoreServer, type ServicesServer, startServer } from './start-server.js'
