import type { Action, Meaning } from '../../document/operations/meaning.js'
import { keyOf, parameterOf, readPath } from '../../document/resources/envelopes.js'
import { hintOf, isRecordOf } from '../../document/resources/of-resource.js'
import { type DocumentPath, type PathOperation, readPaths } from '../../document/resources/read-operations.js'
import { toResourceOperation } from '../../document/resources/roles.js'
import { partsOf, propertiesIn, schemaAt } from '../../document/schema/facts.js'
import { MockError } from '../../http/errors.js'
import type { JsonValue } from '../resources/additions.js'
import { resourceNamed, type ServiceResource } from '../resources/service-resource.js'
import { requireKnown } from '../resources/words.js'

/** What an operation does to the record that its path names, in the words of a service file. */
export interface ActionWords {
  /** What it sets, by property; `now` is the time of the request where the property is a time. */
  readonly set?: Readonly<Record<string, JsonValue>>
  /** The value that each property must have, or one of several. With another, the request is a conflict. */
  readonly from?: Readonly<Record<string, JsonValue>>
}

/** By operationId. `false` says that the operation keeps no state. */
export type Actions = Readonly<Record<string, ActionWords | false>>

/** What operations mean, as the service says it. */
export function correctMeanings(
  document: object,
  read: readonly Meaning[],
  actions: Actions,
  resources: readonly ServiceResource[],
): readonly Meaning[] {
  const entries = Object.entries(actions)
  if (entries.length === 0) return read
  const operations = new Map(
    readPaths(document).flatMap((path) =>
      Object.values(path.operations).map((operation) => [operation.name, { operation, path }] as const),
    ),
  )
  const said = entries.flatMap(([id, words]) => {
    const found = operations.get(id)
    if (found === undefined) requireKnown('operation', id, [...operations.keys()])
    if (words === false || found === undefined) return []
    const known = read.find((meaning): meaning is Action => meaning.kind === 'action' && meaning.operationId === id)
    return [withWords(known ?? toAction(found.operation, found.path, resources), words, resources)]
  })
  return [...read.filter(({ operationId }) => !Object.hasOwn(actions, operationId)), ...said]
}

/** An action on the last record that a path names, whatever comes after it. */
function toAction(operation: PathOperation, { segments }: DocumentPath, resources: readonly ServiceResource[]): Action {
  const byKey = new Map(
    resources.flatMap((each) => (each.itemPath === undefined ? [] : [[readPath(each.itemPath).key, each] as const])),
  )
  const lengths = segments.map((_, index) => segments.length - index)
  const length = lengths.find((each) => byKey.has(keyOf(segments.slice(0, each)))) ?? 0
  const item = segments.slice(0, length)
  const resource = byKey.get(keyOf(item))
  if (resource === undefined)
    throw new MockError(
      'INVALID_OPTION',
      `The service: ${operation.name} cannot be one of its actions, because its path names no record. Give it a function in operations.`,
    )
  const { schema } = resource.record
  const described = toResourceOperation(operation, 'merge', hintOf(resource), schema)
  const { response } = described
  return {
    kind: 'action',
    resource: resource.name,
    parameters: item.flatMap((segment) => parameterOf(segment) ?? []),
    set: {},
    stores: false,
    showsRecord: response !== undefined && isRecordOf(resource, schemaAt(response.schema.schema, response.envelope)),
    operationId: described.operationId,
    operation: described,
  }
}

function withWords(
  action: Action,
  { set, from, ...others }: ActionWords,
  resources: readonly ServiceResource[],
): Action {
  const { operationId, resource: name } = action
  for (const word of Object.keys(others)) requireKnown(`word of the action ${operationId}`, word, ['set', 'from'])
  const resource = resourceNamed(resources, name) as ServiceResource
  const { response } = action.operation
  // The response may have states that the record lacks.
  const shown = response ? [...propertiesIn(schemaAt(response.schema.schema, response.envelope)).keys()] : []
  checkValues(resource, set, shown)
  checkValues(resource, from, [])
  const allowed =
    from && Object.fromEntries(Object.entries(from).map(([property, values]) => [property, [values].flat()]))
  return { ...action, ...(set && { set }), ...(allowed && { from: allowed }) }
}

function checkValues(
  { name, fields, kept }: ServiceResource,
  values: ActionWords['set'] = {},
  shown: readonly string[],
): void {
  const properties = [...fields.map(({ property }) => property), ...kept, ...shown]
  for (const [property, value] of Object.entries(values)) {
    requireKnown(`property of ${name}`, property, properties)
    const { schema = {} } = fields.find((field) => field.property === property) ?? {}
    const listed = [...partsOf(schema)].find((part) => part.enum)?.enum?.map(String)
    for (const each of [value].flat())
      if (listed && each !== null) requireKnown(`${property} of ${name}`, String(each), listed)
  }
}
