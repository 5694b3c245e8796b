/** What only documents without precompiled validators need. `contract.load()` imports it. */
export { createDocumentResponses } from '../responses/document-responses.js'
export { compileOnDemand } from './compiling-validator.js'
