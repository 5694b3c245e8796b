import { createIdKind } from '../../document/resources/ids/kinds.js'
import type { Resource } from '../../document/resources/resource.js'
import { nonNullOf, propertiesIn, propertiesWithoutChoices, requiredIn } from '../../document/schema/facts.js'
import type { Schema } from '../../document/schema/schema.js'
import type { CollectionModel, Identified } from '../store/database.js'
import { type ResourceAdditions, type StoredRecord, USER } from './additions.js'
import { linkFields, parentFields } from './parents.js'
import { ENDED_TOKENS, FILE, OLD_NAME, STARTED } from './record-forms.js'
import { toGroupText } from './selection.js'
import { type Field, resourcesStoredIn, type ServiceResource } from './service-resource.js'

/** `unsent` depends on the other resources of the service. */
export function toServiceResource(
  resource: Resource,
  additions: ResourceAdditions<StoredRecord>,
): Omit<ServiceResource, 'unsent'> {
  const { view, defaults = {}, hidden: concealed = [] } = additions
  const { schema: record } = resource.record
  // Those that only one choice of several has come last.
  const described = {
    ...propertiesWithoutChoices(record),
    ...Object.fromEntries(propertiesIn(record)),
    ...propertiesWithoutChoices(record),
  }
  const undescribed = [...requiredIn(record)].filter((name) => !(name in described)).map((name) => [name, {}])
  const properties: Record<string, Schema> = { ...described, ...Object.fromEntries(undescribed) }
  const idPath = (resource.id.property ?? ['id']) as [string, ...string[]]
  const shown = Object.entries(properties).filter(([property]) => !concealed.includes(property))
  const fields = shown.map(([property, schema]): Field => {
    const isId = idPath.length === 1 && property === idPath[0]
    return {
      property,
      schema,
      isId,
      isInt64: isInt64(schema),
      stored: isId ? 'id' : (view?.fields[property] ?? storedName(property)),
    }
  })
  const storedIn = view?.of ?? resource.storedIn ?? resource.name
  const own = Object.keys(defaults).filter((name) => !Object.hasOwn(properties, name))
  const kept = [...new Set([...own, ...concealed])]
  const hidden = [
    ...(resource.id.canChange ? [OLD_NAME] : []),
    ...(resource.isPeople ? [ENDED_TOKENS] : []),
    ...(resource.holdsFiles ? [FILE] : []),
    ...(resource.job ? [STARTED] : []),
    ...kept,
    ...parentFields({ ...resource, fields }).flatMap(({ stored, field }) => (field ? [] : [stored])),
    ...linkFields({ ...resource, fields }).flatMap(({ stored, field }) => (field ? [] : [stored])),
  ]
  const counted = additions.counts ?? {}
  return {
    ...resource,
    writable: resource.writable.filter((property) => !Object.hasOwn(counted, property)),
    ...(additions.noun !== undefined && { noun: additions.noun }),
    additions,
    id: { ...resource.id, isAccepted: resource.id.isAccepted && additions.acceptsIds !== false },
    ids: createIdKind(resource.id.kind, storedIn),
    idPath,
    storedIn,
    fields,
    kept,
    hidden,
    references: { ...resource.references, ...mapReferences(additions) },
    checkedReferences: referencesIn(additions).map(([property, reference]) =>
      typeof reference === 'string' ? { property, to: reference } : { property, ...reference },
    ),
  }
}

/** Those to records of a resource: who is the user, each request says. */
function referencesIn({ references = {} }: ResourceAdditions<StoredRecord>) {
  return Object.entries(references).filter(([, to]) => to !== USER)
}

function mapReferences({ references = {} }: ResourceAdditions<StoredRecord>): Record<string, string> {
  return Object.fromEntries(
    referencesIn({ references }).map(([property, to]) => [property, typeof to === 'string' ? to : to.to]),
  )
}

/** The key of a stored record is called `id`. The database drops `prototype`, and what every object has. */
const isReserved = (property: string) => property in Object.prototype || ['id', 'prototype'].includes(property)

const storedName = (property: string) => (isReserved(property) ? `/${property}` : property)

const isInt64 = (schema: Schema) => nonNullOf(schema).int64 === true

/** The model of the collection that stores its records. */
export function toCollectionModel(
  resource: ServiceResource,
  all: readonly ServiceResource[],
): CollectionModel<Identified, string> {
  const { fields, references, additions, ids, name, hasUnknownIds } = resource
  const grouped = new Set([...Object.keys(references), ...(additions.unique ?? [])])
  const here = resourcesStoredIn(all, name)
  const shown = [fields, ...here.filter((each) => each.additions.view ?? each.isMe).map((each) => each.fields)].flat()
  const own = shown.filter(({ isId }) => !isId).map(({ stored }) => stored)
  const hidden = here.flatMap((each) => each.hidden)
  const byValue = fields
    .filter(({ property }) => grouped.has(property))
    .map(({ property, stored }) => [property, (record: StoredRecord) => toGroupText(record[stored])] as const)
  return {
    ids,
    // Others exist without having been created.
    remembersRemoved: hasUnknownIds,
    fields: [...new Set([...own, ...hidden])],
    groupings: {
      ...(hidden.includes(STARTED) && {
        [STARTED]: (record: StoredRecord) => (record[STARTED] === undefined ? undefined : 'yes'),
      }),
      ...(hidden.includes(OLD_NAME) && { [OLD_NAME]: (record: StoredRecord) => toGroupText(record[OLD_NAME]) }),
      ...Object.fromEntries(byValue),
      ...additions.groups,
    } as never,
  }
}
