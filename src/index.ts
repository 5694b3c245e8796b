export type { LifecycleMarker } from './document/contract/operation.js'
export { loadDocument } from './document/load/load-document.js'
export type { ErrorBody } from './document/schema/types.js'
export type { CompiledSchemas } from './document/validate/compiled-functions.js'
export type { Clock, ClockState } from './engine/control/clock.js'
export type { Snapshot } from './engine/control/current-store.js'
export type { SandboxSummary } from './engine/control/sandboxes.js'
export type { NamedSnapshot, Snapshots } from './engine/control/snapshots.js'
export type { AnyData } from './engine/data/data.js'
export type { AnyFixture } from './engine/data/format.js'
export type { Neighbour } from './engine/instance/neighbours.js'
export type { Coverage, CoverageShare, OperationCoverage, StatusCoverage } from './engine/log/coverage.js'
export type { Har, HarEntry } from './engine/log/har.js'
export type { JournalMessage } from './engine/log/journal-entry.js'
export type {
  RecordedControl,
  RecordedExchange,
  RecordedRequest,
  RecordedResponse,
  Reproduction,
  ReproductionEnd,
  ReproductionStart,
  ReproductionStep,
} from './engine/log/reproduction.js'
export type { WaitOptions } from './engine/log/wait.js'
export { createMock, type DocumentMockOptions } from './engine/mock/create-mock.js'
export { createMocks, type MocksOf, type ServiceEntry } from './engine/mock/create-mocks.js'
export {
  type AnyService,
  defineService,
  type MockOptions,
  type ServiceDescription,
} from './engine/mock/define-service.js'
export type { Mock } from './engine/mock/mock.js'
export type { OwnContext, OwnHandler } from './engine/mock/own-handler.js'
export type { ServiceOf } from './engine/mock/service-of.js'
export type { ResourceAdditions, StoredRecord } from './engine/resources/additions.js'
export type { FaultKind } from './engine/rules/fault-kind.js'
export type { OverrideOptions, UncheckedResponse } from './engine/rules/override.js'
export type { RequestMatch, ValueMatch } from './engine/rules/request-match.js'
export type { Removable } from './engine/rules/rule-list.js'
export type { ServiceDefinition, ServiceTypes } from './engine/service.js'
export { MockError, type MockErrorCode } from './http/errors.js'
export type {
  HandleOptions,
  HandlerResponse,
  Outcome,
  PlainRequest,
  PlainResponse,
  Trace,
} from './http/messages.js'
export type { TimeSource } from './lib/clock.js'
export { listScenarios } from './petstore/fixtures/scenarios.js'
export type * from './petstore/public-types.js'
export { createPetstore, type PetstoreRules, petstoreRules } from './petstore/service.js'
