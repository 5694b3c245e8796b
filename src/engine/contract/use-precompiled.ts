import { COMPONENT, type DocumentValidators } from './document-validators.js'
import { type CompiledRouter, PrecompiledValidator, validatorsOf } from './openapi-backend.js'
import { compileSimpleReader } from './parameters.js'
import type { Validators } from './validators.js'

export function usePrecompiled(router: CompiledRouter, { operations, schemas }: Validators): DocumentValidators {
  const validator = new PrecompiledValidator(router, operations)
  return {
    compileReader: compileSimpleReader,
    // Not getters: nothing has to be compiled.
    ofOperation: (id) => ({ ...validatorsOf(validator, id) }),
    ofSchema(pointer) {
      const validate = schemas[pointer.slice(COMPONENT.length)]
      if (validate === undefined) throw new Error(`No validator was compiled for ${pointer}.`)
      return validate
    },
  }
}
