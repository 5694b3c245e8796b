import type { AnyService } from './define-service.js'
import type { ServiceDefinition } from './service.js'

export function isService(given: unknown): given is ServiceDefinition<AnyService> {
  return typeof given === 'object' && given !== null && 'resolveOptions' in given
}
