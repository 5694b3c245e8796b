export type { TimeSource } from './clock.js'
export { MockError, type MockErrorCode } from './contract/errors.js'
export type { PlainRequest, PlainResponse } from './contract/messages.js'
export type { ResponseOf, StoreOperationId } from './contract/types.js'
export type { Clock } from './control/clock.js'
export type {
  Category,
  CategoryFields,
  Entities,
  InventoryItem,
  Order,
  OrderFields,
  Pet,
  PetFields,
  PetstoreData,
} from './control/data.js'
export type { MarkedUse, Marker } from './control/deprecations.js'
export type { Journal, JournalEntry, JournalFilter, JournalMessage } from './control/journal.js'
export type { Override, OverrideCall, OverrideOptions } from './control/overrides.js'
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
export type { ScenarioName } from './fixtures/scenarios.js'
export type { PetstoreOptions } from './options.js'
export { createPetstore, type Petstore, type Snapshot } from './petstore.js'
