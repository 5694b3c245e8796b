import type { TestInfo } from '@playwright/test'
import { stringifyJson } from '../lib/json.js'
import type { PetstoreClient } from '../remote/client/index.js'

/** Attaches to the report of a failed test what the mock knows: requests, data, fault rules, overrides, and how to repeat it. */
export async function attachEvidence(testInfo: TestInfo, petstore: PetstoreClient): Promise<void> {
  const contents = {
    'petstore-requests.har': await petstore.journal.toHar(),
    'petstore-state.json': await petstore.exportState(),
    'petstore-rules.json': { faults: await petstore.faults.list(), overrides: await petstore.overrides.list() },
    'reproduction.petstore.json': await petstore.reproduction(),
  }
  for (const [name, content] of Object.entries(contents)) {
    await testInfo.attach(name, { body: stringifyJson(content) ?? '', contentType: 'application/json' })
  }
}
