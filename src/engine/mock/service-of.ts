import type { DataCollection } from '../data/data.js'
import type { AnyFixture } from '../data/format.js'
import type { Neighbour } from '../instance/neighbours.js'
import type { ServiceDefinition, ServiceTypes } from '../service.js'
import type { AnyService } from './define-service.js'

export function isService(given: unknown): given is ServiceDefinition<AnyService> {
  return typeof given === 'object' && given !== null && 'resolveOptions' in given
}

/**
 * The types of a service of your own: its operations, as openapi-typescript generates them, and the record of each resource:
 * `defineService<ServiceOf<operations, { books: components['schemas']['Book'] }>>({ … })`. The third argument has the types of
 * the services that its handlers use, by name.
 */
export interface ServiceOf<
  Operations extends object,
  Records extends object = Record<never, never>,
  Services extends Readonly<Record<string, ServiceTypes>> = Record<never, never>,
> extends Omit<AnyService, 'operations' | 'data' | 'fixtures' | 'state' | 'services'> {
  readonly operations: Operations
  readonly data: { readonly [Name in keyof Records]: DataCollection<Records[Name], Partial<Records[Name]>> }
  readonly fixtures: Pick<AnyFixture, 'description' | 'nextIds' | 'specHash'> & {
    readonly [Name in keyof Records]?: readonly Partial<Records[Name]>[]
  }
  readonly state: AnyFixture & { readonly [Name in keyof Records]: readonly Records[Name][] }
  readonly services: { readonly [Name in keyof Services]: Neighbour<Services[Name]> }
}
