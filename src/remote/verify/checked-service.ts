import type { ServiceDefinition, ServiceTypes } from '../../engine/service.js'
import type { RecognisedService } from '../recognise-service.js'

/** By resource. */
type Properties = Readonly<Record<string, readonly string[]>>

/** What verify knows about a service, apart from its own checks. */
export interface CheckedService extends RecognisedService, Pick<ServiceDefinition<ServiceTypes>, 'errorCodes'> {
  /** The complete OpenAPI document. */
  readonly document: object
  /**
   * Whether only what the document says is checked: not the codes of errors, which of the declared statuses an error has, or what
   * HTTP recommends, such as `Allow`. Default: `false`.
   */
  readonly onlyDocument?: boolean
  /** The properties that a write to another record can change. A record is recognised without them. */
  readonly changing?: Properties
  /** The references through which a write changes the record that is referred to. */
  readonly affecting?: Properties
}
