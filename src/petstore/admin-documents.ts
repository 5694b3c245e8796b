import { createContract } from '../engine/contract/contract.js'
import type { AdminDocuments } from '../engine/service.js'
import { once } from '../lib/once.js'
import { listScenarios } from './fixtures/scenarios.js'
import { document } from './generated/admin-document.js'
import { validators } from './generated/admin-validators.js'

export const adminContract = once(() => createContract(document, validators))

export const adminDocuments: AdminDocuments = {
  get contract() {
    return adminContract()
  },
  listScenarios,
  loadServed: once(async () => {
    const [{ openapi, toServedDocument }, { yaml }, { json }] = await Promise.all([
      import('./documents.js'),
      import('./generated/admin-yaml.js'),
      import('./generated/admin-json.js'),
    ])
    return { service: openapi, admin: toServedDocument(yaml, json) }
  }),
}
