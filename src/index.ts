export type { TimeSource } from './clock.js'
export { MockError, type MockErrorCode } from './contract/errors.js'
export type { PlainRequest, PlainResponse } from './contract/messages.js'
export type { ResponseOf, StoreOperationId } from './contract/types.js'
export type { Clock, ClockState } from './control/clock.js'
export type { Coverage, OperationCoverage, Share, StatusCoverage } from './control/coverage.js'
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
export type { Events, PetstoreEvent, RequestSummary } from './control/events.js'
export type { Fault, FaultKind, FaultRule } from './control/fault-rule.js'
export type { Faults } from './control/faults.js'
export type { Har, HarEntry } from './control/har.js'
export type { Journal, JournalEntry, JournalFilter, JournalMessage } from './control/journal.js'
export type { Controls, OtherWorld } from './control/mock.js'
export type { Override, OverrideCall, OverrideOptions } from './control/overrides.js'
export type { Sandboxes, SandboxSummary } from './control/sandboxes.js'
export type { NamedSnapshot, Snapshots } from './control/snapshots.js'
export type { Snapshot } from './current-world.js'
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
export { listScenarios, type ScenarioName, type ScenarioSummary } from './fixtures/scenarios.js'
export type { PetstoreOptions } from './options.js'
export { createPetstore, type Petstore } from './petstore.js'
export type { Sandbox } from './sandbox.js'
