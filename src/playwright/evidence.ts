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
  const contents = {
    'petstore-requests.har': { log: { ...log, entries: [...log.entries, ...toHar(others).log.entries] } },
    'petstore-state.json': await petstore.exportState(),
    'petstore-rules.json': { faults: await petstore.faults.list(), overrides: await petstore.overrides.list() },
    [REPRODUCTION]: await petstore.reproduction(),
  }
  for (const [name, content] of Object.entries(contents)) {
    const body = stringifyJson(content) ?? ''
    await testInfo.attach(name, { body, contentType: 'application/json' })
    if (name === REPRODUCTION) await saveReproduction(testInfo.outputPath(name), body)
  }
}

async function saveReproduction(file: string, text: string): Promise<void> {
  await writeFile(file, `${text}\n`)
  const path = quoteForShell(relative('.', file))
  console.error(`petstore-mock: To repeat the requests of this test: npx petstore-mock replay ${path}`)
}
