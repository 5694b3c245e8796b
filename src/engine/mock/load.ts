/** What only services without a description need. */

export { loadDocument } from '../../document/load/load-document.js'
export { createDocumentService } from './document-service.js'
