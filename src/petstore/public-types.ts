/* The types of the Pet Store that users of the package need. */

export type { components, operations, paths } from '../generated/petstore/openapi-types.js'
export type {
  Category,
  CategoryFields,
  DataCollection,
  InventoryItem,
  Order,
  OrderFields,
  Pet,
  PetFields,
  PetstoreData,
} from './data.js'
export type {
  Fixture,
  FixtureCategory,
  FixtureId,
  FixtureInventoryItem,
  FixtureOrder,
  FixturePet,
  NextIds,
  PartialFixture,
  PetWithCategory,
} from './fixtures/format.js'
export type { ScenarioName, ScenarioSummary } from './fixtures/scenarios.js'
export type { PetstoreOptions } from './options.js'
export type { Petstore } from './service.js'
export type {
  AddedOverride,
  Events,
  Fault,
  FaultChange,
  FaultRule,
  FaultStep,
  Faults,
  Journal,
  JournalEntry,
  JournalFilter,
  LifecycleWarning,
  OperationId,
  Override,
  OverrideCall,
  OverrideList,
  OverrideSequence,
  PetstoreEvent,
  PetstoreInstance,
  RequestSummary,
  ResetOptions,
  ResponseOf,
  Sandboxes,
} from './types.js'
