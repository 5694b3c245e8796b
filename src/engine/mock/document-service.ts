import { checkDocument } from '../../document/load/check-document.js'
import { requireDocument } from '../../document/schema/given-document.js'
import type { ServiceDefinition } from '../service.js'
import { type AnyService, defineService } from './define-service.js'

/** The service that an OpenAPI document describes, without code. Throws INVALID_DOCUMENT when it cannot be used. */
export function createDocumentService(document: object): ServiceDefinition<AnyService> {
  requireDocument(document)
  checkDocument(document)
  return defineService({ document })
}
