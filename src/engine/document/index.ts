/** What only services without a description need. The server and the command import it when they have a document. */
export { readEntry } from '../create-mocks.js'
export { createDocumentService } from './document-service.js'
export { loadDocument } from './load-document.js'
