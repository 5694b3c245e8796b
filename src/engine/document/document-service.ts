import { type AnyService, defineService } from '../define-service.js'
import type { ServiceDefinition } from '../service.js'
import { loadDocument } from './load-document.js'

/** The service that an OpenAPI document describes, without code. A text is the path of its file. */
export async function createDocumentService(document: object | string): Promise<ServiceDefinition<AnyService>> {
  return defineService({ document: typeof document === 'string' ? await loadDocument(document) : document })
}
