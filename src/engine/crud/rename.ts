import { normalize } from '../../document/resources/names.js'
import { once } from '../../lib/functions.js'
import type { Id } from '../../lib/int64.js'
import type { StoredRecord } from '../resources/additions.js'
import { atItemPath, parentFields } from '../resources/parents.js'
import { OLD_NAME, readIdOf } from '../resources/record-forms.js'
import { resourceNamed, type ServiceResource } from '../resources/service-resource.js'
import { collectionOf, findById, lookUp, toOwnPath } from './find.js'
import type { ReadParentNames, Rename } from './handler.js'
import { alreadyExists } from './messages.js'

/** Undefined if a client cannot change the ids of the resource. */
export function createRename(resource: ServiceResource, all: readonly ServiceResource[]): Rename | undefined {
  if (!resource.id.canChange) return undefined
  // At the first use: a document may have hundreds of resources.
  const users = once(() => all.map((user) => ({ user, fields: fieldsWithId(user, resource, all) })))
  return {
    nameIn(json, store, current) {
      const name = readIdOf(resource, json)
      if (name === undefined) return current.id
      const other = findById(resource, store, name)
      if (other !== undefined && other.id !== current.id) throw alreadyExists(resource, name)
      return name
    },
    store(store, { id: from, [OLD_NAME]: first = from }, { id: to, ...fields }) {
      const collection = collectionOf(store, resource)
      collection.remove(from)
      const renamed = collection.withId(to, () =>
        collection.insert({ ...fields, [OLD_NAME]: first === to ? undefined : first }),
      )
      for (const { user, fields } of users()) {
        const records = collectionOf(store, user)
        const referring = [...records.select({})].filter((each) => fields.some((field) => each[field] === from))
        for (const record of referring) {
          const changed = fields.filter((field) => record[field] === from).map((field) => [field, to])
          records.replace({ ...record, ...Object.fromEntries(changed) } as StoredRecord)
        }
      }
      return renamed
    },
  }
}

/** Where records of a resource keep an id of another: as that of a parent, or as a reference. */
function fieldsWithId(user: ServiceResource, to: ServiceResource, all: readonly ServiceResource[]): readonly string[] {
  const isMeant = (name: string | undefined) => resourceNamed(all, name)?.storedIn === to.storedIn
  const parents = parentFields(user).filter((_, level) => isMeant(user.parents[level]?.resource))
  const references = user.fields.filter(({ property, isId }) => !isId && isMeant(user.references[property]))
  return [...new Set([...parents, ...references].map(({ stored }) => stored))]
}

/** Undefined if no parent can be renamed, or is found by something else than its id. */
export function createParentNames(
  resource: ServiceResource,
  all: readonly ServiceResource[],
): ReadParentNames | undefined {
  const parameters = resource.parents.map(({ parameter }) => parameter)
  const parents = resource.parents.flatMap(({ parameter, property, resource: name }) => {
    const parent = resourceNamed(all, name)
    // A property that is named like the parameter has what the path has.
    const isFound = (parent?.id.lookup ?? parent?.id.also) && normalize(property ?? '') !== normalize(parameter)
    return parent && (isFound || parent.id.canChange) ? [{ parameter, parent: atItemPath(parent) }] : []
  })
  if (parents.length === 0) return undefined
  return ({ store, path }) => {
    const names = parents.map(({ parameter, parent }) => {
      const given = path[parameter]
      const found =
        (parent.id.lookup ?? parent.id.also)
          ? lookUp(parent, { store, path: toOwnPath(parent, path, parameters) })
          : findById(parent, store, String(given) as Id)
      return [parameter, found?.id ?? given]
    })
    return { ...path, ...Object.fromEntries(names) }
  }
}
