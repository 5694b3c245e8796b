/**
 * What only services without precompiled validators need, in one module that is imported before their first request. It is
 * one because each further one makes the pages of all services larger: what they share gets files of its own.
 */
export { checkDescription } from './check-description.js'
export { compileOnDemand } from './contract/compiling-validator.js'
export { generateRecords } from './data/generate-records.js'
export { createValueMaker } from './data/make-values.js'
export { noServices } from './neighbours.js'
export { createRemoveBelow } from './resources/children.js'
export { otherConditions } from './resources/conditions.js'
export { createEmbed } from './resources/embedded-records.js'
export { describePage } from './resources/page-facts.js'
export { addPageHeaders } from './resources/page-headers.js'
export { createPatch } from './resources/patch.js'
export { createPreconditions } from './resources/preconditions.js'
export { createHide } from './resources/write-only.js'
export { createDocumentResponses } from './responses/document-responses.js'
