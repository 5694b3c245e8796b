import { compiledModule } from '../../src/engine/mock/compiled-module.js'
import type { CompiledSchemas, ServiceDefinition } from '../../src/index.js'

interface Compiled {
  readonly document: object
  readonly validators: CompiledSchemas
}

/** Imports the module that `petstore-mock compile` writes for a service. */
export async function importCompiled(service: ServiceDefinition<never>): Promise<Compiled> {
  const code = await compiledModule(service as never)
  return import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)
}
