import { type AnyService, defineService } from '../engine/define-service.js'
import { checkDocument } from '../engine/document/check-document.js'
import { createDocumentService } from '../engine/document/document-service.js'
import type { ResourceAdditions } from '../engine/resources/additions.js'
import { nameBeside } from '../engine/resources/names.js'
import type { ServiceDefinition } from '../engine/service.js'
import { findBrokenRules } from './consistency.js'
import { createDataAt } from './data.js'
import { STORE_STATUS_BY_CODE } from './errors.js'
import { scenarios } from './fixtures/scenarios.js'
import { findLosses, type Losses } from './losses.js'
import { isPetstore, readVersion, type Version } from './next-version.js'
import { operations } from './operations.js'
import { resources } from './resources.js'

/** The service of an OpenAPI document; with the rules of the Pet Store if it is a version of the Pet Store's. */
export function serviceOf(document: object): ServiceDefinition<AnyService> {
  return isPetstore(document) ? definePetstore(document) : createDocumentService(document)
}

/**
 * The Pet Store with another version of its OpenAPI document. The rules apply to the operations that it still has; new
 * fields, operations and resources follow from the document. `warnings` says which rules the document has no place for.
 */
export function definePetstore(document: object): ServiceDefinition<AnyService> {
  checkDocument(document)
  const version = readVersion(document)
  const losses = findLosses(version)
  const kept = Object.entries(operations).flatMap(([name, handler]) => {
    const operation = version.operation(name)
    return operation !== undefined && losses.keepsRules(name) ? [[operation, handler]] : []
  })
  return defineService({
    document,
    mainResource: 'pets',
    errors: STORE_STATUS_BY_CODE,
    resources: keptResources(version, losses),
    operations: Object.fromEntries(kept),
    ...(!losses.hasLost && { findBrokenRules, createData: createDataAt(dataPlaces(version)) }),
    scenarios,
    completesScenarios: true,
    warnings: losses.warnings,
  })
}

function dataPlaces(version: Version) {
  const writable = (name: 'pets' | 'orders') => version.resource(name)?.writable ?? []
  const inventoryPath = version.resource('inventory')?.path ?? ''
  return { petFields: writable('pets'), orderFields: writable('orders'), inventoryPath }
}

type Additions = Readonly<Record<string, ResourceAdditions>>

/** What the document still has of what is added to the resources. */
function keptResources(version: Version, { hasStatus, hasCategories, hasOrderedPets, hasStock }: Losses): Additions {
  const { categories, pets, orders, inventory } = resources
  const { status: _, ...otherDefaults } = pets.defaults ?? {}
  const all: Readonly<Record<keyof typeof resources, ResourceAdditions>> = {
    categories,
    pets: {
      ...pets,
      references: hasCategories ? (pets.references ?? {}) : {},
      defaults: hasStatus ? (pets.defaults ?? {}) : otherDefaults,
    },
    orders: { ...orders, references: hasOrderedPets ? (orders.references ?? {}) : {} },
    inventory: hasStock ? inventory : {},
  }
  const names = Object.keys(all) as (keyof typeof resources)[]
  return Object.fromEntries(
    names.flatMap((name) => {
      const path = version.resource(name)?.path
      if (path !== undefined) return [[name, { ...all[name], path }]]
      const other = version.namesake(name)?.path
      // Rules look for records by our names.
      return other === undefined ? [] : [[nameBeside(other, names), { path: other }]]
    }),
  )
}
