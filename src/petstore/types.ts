import type * as contract from '../document/schema/types.js'
import type * as warnings from '../engine/control/lifecycle-warnings.js'
import type * as sandboxes from '../engine/control/sandboxes.js'
import type { Instance } from '../engine/instance/instance.js'
import type * as events from '../engine/log/events.js'
import type * as journal from '../engine/log/journal.js'
import type * as journalEntry from '../engine/log/journal-entry.js'
import type * as faultRule from '../engine/rules/fault-rule.js'
import type * as faults from '../engine/rules/faults.js'
import type * as override from '../engine/rules/override.js'
import type { operations } from '../generated/petstore/openapi-types.js'
import type { PetstoreData } from './data.js'
import type { Fixture, PartialFixture } from './fixtures/format.js'
import type { ScenarioName } from './fixtures/scenarios.js'
import type { PetstoreOptions, ResetOptions, ResolvedOptions } from './options.js'
import type { PetstoreShape } from './records.js'

/* The engine's types, with the operations of the Pet Store API filled in. */

export interface PetstoreTypes {
  readonly operations: operations
  readonly shape: PetstoreShape
  readonly options: PetstoreOptions
  readonly resolvedOptions: ResolvedOptions
  readonly resetOptions: ResetOptions
  readonly scenario: ScenarioName
  readonly fixtures: PartialFixture
  readonly state: Fixture
  readonly data: PetstoreData
  readonly services: object
}

/** The operationIds of the OpenAPI document. */
export type OperationId = keyof operations

export type BodyOf<O extends OperationId> = contract.BodyOf<operations[O]>
/** A response of an operation: a success that the OpenAPI document declares, or an error. */
export type ResponseOf<O extends OperationId> = contract.ResponseOf<operations[O]>

/** One isolated copy of everything: the root of a mock, or a sandbox in it. */
export type PetstoreInstance = Instance<PetstoreTypes>
/** Named isolated instances inside one mock. */
export type Sandboxes = sandboxes.Sandboxes<PetstoreInstance>
export type { ResetOptions } from './options.js'

/** The recorded requests and responses, oldest first. When it is full, the oldest are evicted. */
export type Journal = journal.Journal<operations>
/** A request and its response. */
export type JournalEntry<O extends OperationId = OperationId> = journalEntry.JournalEntry<operations, O>
export type JournalFilter<O extends OperationId = OperationId> = journal.JournalFilter<O>

/** Rules that make requests fail. */
export type Faults = faults.Faults<OperationId>
/** Which requests fail, how, and how often. An empty rule makes every request fail with 500. */
export type FaultRule = faultRule.FaultRule<OperationId>
/** New values for some fields of a rule. `null` removes a field. */
export type FaultChange = faultRule.FaultChange<OperationId>
/** What a rule does to one request. */
export type FaultStep = faultRule.FaultStep
/** A rule that was added, and how often it was used. */
export type Fault = faultRule.Fault<OperationId>

/** A response, or a function that returns one. */
export type Override<O extends OperationId> = override.Override<operations, O>
/** What each request gets in turn: a response, a function that returns one, or `pass` for the response without this override. */
export type OverrideSequence<O extends OperationId> = override.OverrideSequence<operations, O>
/** A valid request, as an override function sees it. */
export type OverrideCall<O extends OperationId> = override.OverrideCall<operations, O>
/** An override that was added, and how often it was used. */
export type AddedOverride<O extends OperationId = OperationId> = override.AddedOverride<O>
/** The overrides of an instance, oldest first. The newest one that matches a request decides. */
export type OverrideList = override.OverrideList<OperationId>

export type Events = events.Events<OperationId>
/** Something that happened in an instance: a request, a change of the data or of the faults, a reset. */
export type PetstoreEvent = events.MockEvent<OperationId>
/** A journal entry without the two messages. */
export type RequestSummary = events.RequestSummary<OperationId>
/** A marked operation that was used. */
export type LifecycleWarning = warnings.LifecycleWarning<OperationId>
