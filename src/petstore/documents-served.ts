/** What the server and the command import when they have a document. */
export { readEntry } from '../engine/create-mocks.js'
export { loadDocument } from '../engine/document/load-document.js'
export { serviceOf } from './define-petstore.js'
