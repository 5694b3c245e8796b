import type { components } from '../engine/admin/generated/admin-types.js'

type Schemas = components['schemas']

export type Clock = Schemas['ClockState']
export type Coverage = Schemas['Coverage']
export type Fault = Schemas['Fault']
export type Health = Schemas['Health']
export type Journal = Schemas['Journal']
export type JournalEntry = Schemas['JournalEntry']
export type JournalMessage = Schemas['JournalMessage']
export type OperationCoverage = Schemas['OperationCoverage']
export type Sandbox = Schemas['Sandbox']
export type Scenario = Schemas['Scenario']
export type Sizes = Schemas['Sizes']
export type Snapshot = Schemas['Snapshot']
