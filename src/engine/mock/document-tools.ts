import type { ContractTools } from '../../document/contract/contract.js'
import { createDocumentResponses } from '../../document/contract/responses.js'
import { propertiesIn, schemaAt } from '../../document/schema/facts.js'
import { type CompiledSchemas, useCompiled } from '../../document/validate/compiled-functions.js'
import { compileOnDemand } from '../../document/validate/compiling-validator.js'
import { MockError } from '../../http/errors.js'
import { runNow } from '../../lib/steps.js'
import { quote } from '../../lib/text.js'
import { stateField } from '../crud/rules.js'
import { findFixtureProblems } from '../data/check.js'
import type { FixtureFormat } from '../data/format.js'
import { USER } from '../resources/additions.js'
import { resourcesStoredIn, type ServiceResource } from '../resources/service-resource.js'
import { requireKnown } from '../resources/words.js'

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
  'states',
  'actions',
  'authenticate',
  'findBrokenRules',
  'createData',
  'scenarios',
  'loadDocument',
]

const ADDITIONS: Readonly<Record<keyof ServiceResource['additions'], true>> = {
  path: true,
  at: true,
  id: true,
  parent: true,
  hidden: true,
  unique: true,
  newest: true,
  counts: true,
  links: true,
  states: true,
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
  requireAllKnown('field', Object.keys(description), FIELDS)
  requireAllKnown('operation', Object.keys(description.operations ?? {}), operations)
  const names = resources.map(({ name }) => name)
  for (const resource of resources) checkWords(resource, names, resourcesStoredIn(resources, resource.name))
}

/** `here` are the paths to its records. */
function checkWords(resource: ServiceResource, names: readonly string[], here: readonly ServiceResource[]): void {
  const { name, additions, fields, operations, record } = resource
  requireAllKnown(`field of the resource ${name}`, Object.keys(additions), Object.keys(ADDITIONS))
  // Another path to the same records may show less of them.
  if (resource.storedIn !== name && additions.view === undefined) return
  const properties = fields.map(({ property }) => property)
  const { references = {}, counts = {}, links = {}, unique = [], hidden = [], parent = {} } = additions
  requireAllKnown(`reference of the resource ${name}`, Object.keys(references), properties)
  for (const reference of Object.values(references)) {
    const to = typeof reference === 'string' ? reference : reference.to
    if (to !== USER) requireAllKnown(`resource that ${name} refer to:`, [to], names)
  }
  requireAllKnown(`count of ${name}`, Object.keys(counts), properties)
  requireAllKnown(`resource that ${name} are linked to:`, Object.values(links), names)
  requireAllKnown(`resource that ${name} count:`, Object.values(counts), names)
  requireAllKnown(`unique property of ${name}`, unique, properties)
  const sent = Object.values(operations).flatMap(({ request }) =>
    request ? [...propertiesIn(schemaAt(request.schema.schema, request.envelope)).keys()] : [],
  )
  requireAllKnown(`hidden property of ${name}`, hidden, [...propertiesIn(record.schema).keys(), ...sent])
  const parameters = here.flatMap(({ parents }) => parents.map(({ parameter }) => parameter))
  if (parameters.length > 0) requireAllKnown(`path parameter of ${name}`, Object.keys(parent), parameters)
  checkStates(resource)
}

function checkStates(resource: ServiceResource): void {
  const { name, additions } = resource
  if (additions.states === undefined) return
  const field = stateField(resource)
  if (field === undefined)
    throw new MockError('INVALID_OPTION', `The service: no property of ${name} has the states that it names.`)
  if (field.unknown !== undefined) requireAllKnown(`state of ${name}`, [field.unknown], field.values?.map(String) ?? [])
}

function requireAllKnown(kind: string, given: readonly string[], known: readonly string[]): void {
  for (const name of given) requireKnown(kind, name, known)
}

export { createSchemaCompiler } from '../../document/validate/schema-compiler.js'
export { createEmbed, createRemoveBelow } from '../crud/below.js'
export { createFollow } from '../crud/follow.js'
export { createLinked } from '../crud/links.js'
export { createValueMaker } from '../crud/make-values.js'
export { addPageHeaders, describePage } from '../crud/paging.js'
export { createPatch } from '../crud/patch.js'
export { createParentNames, createRename } from '../crud/rename.js'
export { createPreconditions } from '../crud/response-headers.js'
export { createRules } from '../crud/rules.js'
export { createHide } from '../crud/write-only.js'
export { createArrange } from '../data/arrange.js'
export { generateRecords } from '../data/generate-records.js'
export { noServices } from '../instance/neighbours.js'
export { createFileKeeper, mergeParts } from '../operations/files.js'
export { createMeaningHandler } from '../operations/handlers.js'
export { createJobs } from '../operations/jobs.js'
export { createOncePerKey } from '../operations/once-per-key.js'
export { createCurrentUserFinder, findTokenProblem } from '../resources/current-user.js'
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
