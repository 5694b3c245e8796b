declare module 'virtual:library' {
  import type { CompiledSchemas } from '../../src/index.js'
  export const validators: CompiledSchemas
}
