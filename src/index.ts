export { MockError, type MockErrorCode } from './engine/contract/errors.js'
export type { PlainRequest, PlainResponse } from './engine/contract/messages.js'
export type { ResponseOf, StoreOperationId } from './engine/contract/types.js'
export type { Clock, ClockState } from './engine/control/clock.js'
export type { Coverage, OperationCoverage, Share, StatusCoverage } from './engine/control/coverage.js'
export type { Events, PetstoreEvent, RequestSummary } from './engine/control/events.js'
export type { Fault, FaultKind, FaultRule } from './engine/control/fault-rule.js'
export type { Faults } from './engine/control/faults.js'
export type { Har, HarEntry } from './engine/control/har.js'
export type { Journal, JournalEntry, JournalFilter, JournalMessage } from './engine/control/journal.js'
export type { LifecycleMarker, LifecycleWarning } from './engine/control/lifecycle-warnings.js'
export type { Controls, ResetOptions } from './engine/control/mock.js'
export type { Override, OverrideCall, OverrideOptions } from './engine/control/overrides.js'
export type { Sandboxes, SandboxSummary } from './engine/control/sandboxes.js'
export type { NamedSnapshot, Snapshots } from './engine/control/snapshots.js'
export type { Snapshot } from './engine/current-state.js'
export type { Sandbox } from './engine/instance.js'
export type { TimeSource } from './lib/clock.js'
export { createPetstore, type Petstore } from './petstore/create-petstore.js'
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
} from './petstore/data.js'
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
} from './petstore/fixtures/format.js'
export { listScenarios, type ScenarioName, type ScenarioSummary } from './petstore/fixtures/scenarios.js'
export type { PetstoreOptions } from './petstore/options.js'
