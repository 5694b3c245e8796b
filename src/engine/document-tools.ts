import { type CompiledSchemas, useCompiled } from './contract/compiled-functions.js'
import { compileOnDemand } from './contract/compiling-validator.js'
import type { ContractTools } from './contract/contract.js'
import { createDocumentResponses } from './responses/document-responses.js'

/**
 * What only services without generated validators need, in one module that is imported before their first request. It is
 * one because each further one makes the pages of all services larger: what they share gets files of its own.
 */
export { checkDescription, checkScenarios } from './check-description.js'
export { createSchemaCompiler } from './contract/schema-compiler.js'
export { createDataPaths } from './data/data-paths.js'
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
export { createParentNames, createRename } from './resources/rename.js'
export { createHide } from './resources/write-only.js'

export { compileOnDemand }

/** Ajv is imported only if the functions for the schemas were not compiled before. */
export async function withFunctions(compiled: CompiledSchemas | undefined): Promise<ContractTools> {
  const createFunctions = compiled
    ? useCompiled(compiled)
    : (await import('./contract/ajv-functions.js')).createAjvFunctions
  return { compileOnDemand, createDocumentResponses, createFunctions } as ContractTools
}
