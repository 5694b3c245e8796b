import { callUserFunction } from '../engine/control/unreported-errors.js'
import type { ServiceDefinition } from '../engine/service.js'
import { specHash, storeContract } from './contract.js'
import { createData } from './data.js'
import { ERROR_CODES } from './errors.js'
import { loadStartingData, readState } from './fixtures/load.js'
import { petstoreModel } from './model.js'
import { storeHandlers } from './operations/index.js'
import { describeOptions, resolveOptions, withFixtures, withReset } from './options.js'
import { exportState } from './state.js'
import type { PetstoreTypes } from './types.js'

/** Everything that makes the engine a pet store. */
export const petstoreService: ServiceDefinition<PetstoreTypes> = {
  get contract() {
    return storeContract()
  },
  specHash,
  errorCodes: ERROR_CODES,
  model: petstoreModel,
  handlers: storeHandlers,
  resolveOptions,
  describeOptions,
  withFixtures,
  withReset,
  loadStartingData(options, reportError) {
    const { onProgress } = options
    const report =
      onProgress &&
      ((done: number, total: number) => callUserFunction('onProgress', () => onProgress(done, total), reportError))
    return loadStartingData({ ...options, onProgress: report }, storeContract())
  },
  exportState: (collections) => exportState(collections, specHash),
  importState: (state, { rules }) => readState(state, storeContract(), rules, specHash),
  createData,
  loadAdmin: async () => (await import('./admin-documents.js')).adminDocuments,
}
