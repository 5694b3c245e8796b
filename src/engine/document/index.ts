/** What only services without a description need. */
export { createDocumentService } from './document-service.js'
export { loadDocument } from './load-document.js'
