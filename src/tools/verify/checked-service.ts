import type { ServiceDefinition, ServiceTypes } from '../../engine/service.js'
import type { RecognisedService } from '../server/recognise-service.js'

/** What verify knows about a service. */
export interface CheckedService extends RecognisedService, Pick<ServiceDefinition<ServiceTypes>, 'errorCodes'> {
  /** The complete OpenAPI document. */
  readonly document: object
  /** Whether it promises the status of each error, and where a new record is. Default: what the document declares is checked. */
  readonly isExact?: boolean
}
