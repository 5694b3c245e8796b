import { quote } from '../lib/quote.js'
import { runNow } from '../lib/steps.js'
import { describeUnknown, MockError } from './contract/errors.js'
import { findFixtureProblems } from './data/check.js'
import type { FixtureFormat } from './data/format.js'
import type { ServiceResource } from './resources/service-resource.js'

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
  'completesScenarios',
  'warnings',
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
