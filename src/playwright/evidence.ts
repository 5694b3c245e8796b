import { writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import type { TestInfo } from '@playwright/test'
import { toHar } from '../engine/control/har.js'
import type { JournalEntry } from '../engine/control/journal-entry.js'
import { stringifyJson } from '../lib/json.js'
import type { PetstoreClient } from '../remote/client/index.js'
import { quoteForShell } from '../snippets/curl.js'

const REPRODUCTION = 'reproduction.petstore.json'

/**
 * Attaches to the report of a failed test what the mock knows: requests, data, fault rules, overrides, and how to repeat it.
 * `refused` are requests that are not in the journal, because the server has refused them.
 */
export async function attachEvidence(
  testInfo: TestInfo,
  petstore: PetstoreClient,
  refused: readonly Promise<JournalEntry | undefined>[],
): Promise<void> {
  const others = (await Promise.all(refused)).filter((entry) => entry !== undefined)
  const { log } = await petstore.journal.toHar()
  const entries = [...log.entries, ...toHar(others).log.entries]
  const contents = {
    'petstore-requests.har': { log: { ...log, entries } },
    'petstore-state.json': await petstore.exportState(),
    'petstore-rules.json': { faults: await petstore.faults.list(), overrides: await petstore.overrides.list() },
    [REPRODUCTION]: await petstore.reproduction(),
  }
  for (const [name, content] of Object.entries(contents)) {
    const body = stringifyJson(content) ?? ''
    await testInfo.attach(name, { body, contentType: 'application/json' })
  }
  const file = testInfo.outputPath(REPRODUCTION)
  await writeFile(file, `${stringifyJson(contents[REPRODUCTION])}\n`)
  const hint =
    entries.length > 0
      ? `To repeat the requests of this test: npx petstore-mock replay ${quoteForShell(relative('.', file))}`
      : 'No request of this test reached the mock. Does petstoreBaseUrl name the address to which the application sends them?'
  console.error(`petstore-mock: ${hint}`)
}
