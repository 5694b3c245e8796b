import type { ServiceDefinition, ServiceTypes } from '../service.js'
import type { AnyService, MockOptions } from './define-service.js'
import { createDocumentService } from './document-service.js'
import { createMock as createAnyMock, type Mock } from './mock.js'
import { isService } from './service-of.js'

/** Options of a mock of a service that needs no code. */
export interface DocumentMockOptions extends MockOptions {
  /** The OpenAPI document: an object, as `loadDocument` returns it. */
  readonly document: object
}

/** A mock of a service of your own, in memory. Await its `ready` before the first request. */
export function createMock<T extends ServiceTypes>(service: ServiceDefinition<T>, options?: T['options']): Mock<T>
/** Also takes the OpenAPI document alone: `{ document }`. */
export function createMock(options: DocumentMockOptions): Mock<AnyService>
export function createMock(
  serviceOrOptions: ServiceDefinition<AnyService> | DocumentMockOptions,
  options: MockOptions = {},
): Mock<AnyService> {
  // A service has a document as well.
  if (isService(serviceOrOptions)) return createAnyMock(serviceOrOptions, options).mock
  const { document, ...others } = Object(serviceOrOptions) as DocumentMockOptions
  return createAnyMock(createDocumentService(document), others).mock
}
