import type { ContractTools } from '../../document/contract/contract.js'
import { createDocumentResponses } from '../../document/contract/responses.js'
import { type CompiledSchemas, useCompiled } from '../../document/validate/compiled-functions.js'
import { compileOnDemand } from '../../document/validate/compiling-validator.js'
import { describeUnknown, MockError } from '../../http/errors.js'
import { runNow } from '../../lib/steps.js'
import { quote } from '../../lib/text.js'
import { findFixtureProblems } from '../data/check.js'
import type { FixtureFormat } from '../data/format.js'
import type { ServiceResource } from '../resources/service-resource.js'

/** Those of `ServiceDescription`. */
const FIELDS = [
  'title',
  'document',
  'mainResource',
  'validators',
  'specHash',
  'errors',
  'error',
  'resources',
  'operations',
  'findBrokenRules',
  'createData',
  'scenarios',
  'loadDocument',
]

const ADDITIONS: Readonly<Record<keyof ServiceResource['additions'], true>> = {
  path: true,
  noun: true,
  references: true,
  defaults: true,
  acceptsIds: true,
  normalize: true,
  filters: true,
  groups: true,
  view: true,
  inline: true,
  rejections: true,
  sample: true,
}

/** Throws INVALID_FIXTURE when starting data that a service gives itself could not be imported. */
export function checkScenarios(scenarios: Readonly<Record<string, unknown>>, format: FixtureFormat): void {
  for (const [name, fixture] of Object.entries(scenarios)) {
    const problems = runNow(findFixtureProblems(fixture, format, 'off')).map(({ message }) => message)
    if (problems.length > 0)
      throw new MockError('INVALID_FIXTURE', `The service: its scenario ${quote(name)} is invalid:`, { problems })
  }
}

/** Throws INVALID_OPTION when a service names what there is not: a rule with a typo would never apply. */
export function checkDescription(
  description: { readonly operations?: object },
  operations: readonly string[],
  resources: readonly ServiceResource[],
): void {
  requireKnown('field', description, FIELDS)
  requireKnown('operation', description.operations, operations)
  const names = resources.map(({ name }) => name)
  for (const { name, additions, fields } of resources) {
    requireKnown(`field of the resource ${name}`, additions, Object.keys(ADDITIONS))
    const properties = fields.map(({ property }) => property)
    requireKnown(`reference of the resource ${name}`, additions.references, properties)
    for (const reference of Object.values(additions.references ?? {})) {
      const to = typeof reference === 'string' ? reference : reference.to
      requireKnown(`resource that ${name} refer to:`, { [to]: to }, names)
    }
  }
}

function requireKnown(kind: string, given: object | undefined, known: readonly string[]): void {
  const unknown = Object.keys(given ?? {}).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new MockError('INVALID_OPTION', `The service: ${describeUnknown(kind, unknown, known)}`)
}

export { createSchemaCompiler } from '../../document/validate/schema-compiler.js'
export { createEmbed, createRemoveBelow } from '../crud/below.js'
export { createValueMaker } from '../crud/make-values.js'
export { addPageHeaders, describePage } from '../crud/paging.js'
export { createPatch } from '../crud/patch.js'
export { createParentNames, createRename } from '../crud/rename.js'
export { createPreconditions } from '../crud/response-headers.js'
export { createHide } from '../crud/write-only.js'
export { createArrange } from '../data/arrange.js'
export { generateRecords } from '../data/generate-records.js'
export { noServices } from '../instance/neighbours.js'
export { createMeaningHandler } from '../operations/handlers.js'
export { otherConditions } from '../resources/selection.js'
/**
 * What only services without generated validators need, in one module that is imported before their first request. It is
 * one because each further one makes the pages of all services larger: what they share gets files of its own.
 */

export { compileOnDemand }

/** Ajv is imported only if the functions for the schemas were not compiled before. */
export async function withFunctions(compiled: CompiledSchemas | undefined): Promise<ContractTools> {
  const createFunctions = compiled
    ? useCompiled(compiled)
    : (await import('../../document/validate/ajv-functions.js')).createAjvFunctions
  return { compileOnDemand, createDocumentResponses, createFunctions } as ContractTools
}
