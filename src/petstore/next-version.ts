import type { Schema } from '../engine/contract/schema.js'
import { nameOperations } from '../engine/resources/operation-name.js'
import { readResources } from '../engine/resources/read-resources.js'
import type { Resource } from '../engine/resources/resource.js'
import { partsOf, propertiesIn, typesOf } from '../engine/resources/schema-facts.js'
import { once } from '../lib/once.js'
import { document as ownDocument } from './generated/openapi-document.js'
import { documentResources } from './generated/openapi-resources.js'
import { resources as additions } from './resources.js'

export type ResourceName = keyof typeof additions

/** A document that may be another version of the Pet Store's: what is left of its operations and resources. */
export interface Version {
  /** Its name of an operation; undefined if it is gone. */
  operation(name: string): string | undefined
  /** The resource with the operations of ours, wherever its paths are. */
  resource(name: ResourceName): Resource | undefined
  /** The resource that has the name of ours by its path. */
  namesake(name: ResourceName): Resource | undefined
  /** Whether its records have this property, and can have these values in it. */
  has(name: ResourceName, property: string, values?: readonly unknown[]): boolean
}

export function readVersion(document: object): Version {
  const names = operationNames(document)
  const taken = new Set(names.values())
  const resources = readResources(document)

  function operation(name: string): string | undefined {
    if (taken.has(name)) return name
    const place = places().get(name)
    const other = place === undefined ? undefined : names.get(place)
    return other === undefined || places().has(other) ? undefined : other
  }

  function resource(name: ResourceName): Resource | undefined {
    const own = documentResources.find(({ path }) => path === additions[name].path)
    const known = new Set(Object.values(own?.operations ?? {}).map(({ operationId }) => operation(operationId)))
    return resources.find(({ operations }) =>
      Object.values(operations).some(({ operationId }) => known.has(operationId)),
    )
  }

  return {
    operation,
    resource,
    namesake: (name) => resources.find((each) => each.name === name),
    has(name, property, values = []) {
      const schema = propertiesIn(resource(name)?.record.schema ?? {}).get(property)
      return schema !== undefined && values.every((value) => mayBe(schema, value))
    },
  }
}

/** By type and enum alone: what checks values completely also generates them, which is too large for a page. */
function mayBe(schema: Schema, value: unknown): boolean {
  const types = typesOf(schema)
  const enums = [...partsOf(schema)].flatMap((part) => (part.enum === undefined ? [] : [part.enum]))
  const hasType = types.size === 0 || types.has(typeof value) || (Number.isInteger(value) && types.has('integer'))
  return hasType && (enums.length === 0 || enums.some((each) => each.includes(value)))
}

/** Whether it is a version of the Pet Store's document: by its title, or by most of the names of operations. */
export function isPetstore(document: object): boolean {
  const { info } = document as { readonly info?: { readonly title?: unknown } }
  const kept = [...operationNames(document).values()].filter((name) => places().has(name)).length
  return info?.title === 'Pet Store Service' ? kept > 0 : kept * 3 >= places().size * 2
}

const operationNames = (document: object) =>
  nameOperations((document as { readonly paths?: Parameters<typeof nameOperations>[0] }).paths ?? {})

/** The method and path of each operation of the Pet Store, by its name. */
const places = once(() => new Map([...operationNames(ownDocument)].map(([place, name]) => [name, place])))
