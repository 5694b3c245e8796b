export type { CompiledSchemas } from './engine/contract/compiled-functions.js'
export { MockError, type MockErrorCode } from './engine/contract/errors.js'
export type { HandleOptions, Outcome, PlainRequest, PlainResponse, Trace } from './engine/contract/messages.js'
export type { ErrorBody } from './engine/contract/types.js'
export type { Clock, ClockState } from './engine/control/clock.js'
export type { Coverage, CoverageShare, OperationCoverage, StatusCoverage } from './engine/control/coverage.js'
export type { FaultKind } from './engine/control/fault-kind.js'
export type { Har, HarEntry } from './engine/control/har.js'
export type { JournalMessage } from './engine/control/journal-entry.js'
export type { RequestMatch, ValueMatch } from './engine/control/json-match.js'
export type { LifecycleMarker } from './engine/control/lifecycle-warnings.js'
export type { OverrideOptions, UncheckedResponse } from './engine/control/override.js'
export type { Removable } from './engine/control/removable.js'
export type { SandboxSummary } from './engine/control/sandboxes.js'
export type { NamedSnapshot, Snapshots } from './engine/control/snapshots.js'
export type { WaitOptions } from './engine/control/wait.js'
export { createMock, type DocumentMockOptions } from './engine/create-mock.js'
export { createMocks, type MocksOf, type ServiceEntry } from './engine/create-mocks.js'
export type { AnyData } from './engine/data/data.js'
export type { AnyFixture } from './engine/data/format.js'
export {
  type AnyService,
  defineService,
  type MockOptions,
  type ServiceDescription,
} from './engine/define-service.js'
export { loadDocument } from './engine/document/load-document.js'
export type { Mock } from './engine/mock.js'
export type { Neighbour } from './engine/neighbours.js'
export type { OwnContext, OwnHandler } from './engine/own-handler.js'
export type {
  RecordedControl,
  RecordedExchange,
  RecordedRequest,
  RecordedResponse,
  Reproduction,
  ReproductionEnd,
  ReproductionStart,
  ReproductionStep,
} from './engine/reproduction/reproduction.js'
export type { ResourceAdditions, StoredRecord } from './engine/resources/additions.js'
export type { HandlerResponse, ServiceDefinition, ServiceTypes } from './engine/service.js'
export type { ServiceOf } from './engine/service-of.js'
export type { Snapshot } from './engine/store/current-store.js'
export type { TimeSource } from './lib/clock.js'
export { createPetstore } from './petstore/create-petstore.js'
export { definePetstore } from './petstore/define-petstore.js'
export { listScenarios } from './petstore/fixtures/scenarios.js'
export type * from './petstore/public-types.js'
