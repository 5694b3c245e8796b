import { writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import type { TestInfo } from '@playwright/test'
import { toHar } from '../../engine/log/har.js'
import { stringifyJson } from '../../lib/json.js'
import type { PetstoreClient } from '../../tools/client/index.js'
import { quoteForShell } from '../../tools/snippets/request.js'
import type { Target } from './target.js'

/** Attaches to the report of a failed test what the mock knows: requests, data, fault rules, overrides, and how to repeat it. */
export async function attachEvidence(
  testInfo: TestInfo,
  petstore: PetstoreClient,
  { name, option, refused }: Target,
): Promise<void> {
  // Those that the server has refused are not in the journal.
  const others = (await Promise.all(refused)).filter((entry) => entry !== undefined)
  const { log } = await petstore.journal.toHar()
  const entries = [...log.entries, ...toHar(others).log.entries]
  const reproduction = `${name === 'petstore' ? 'reproduction' : name}.petstore.json`
  const contents: Record<string, object> = {
    [`${name}-requests.har`]: { log: { ...log, entries } },
    [`${name}-state.json`]: await petstore.exportState(),
    [`${name}-rules.json`]: { faults: await petstore.faults.list(), overrides: await petstore.overrides.list() },
    [reproduction]: await petstore.reproduction(),
  }
  for (const [file, content] of Object.entries(contents)) {
    const body = stringifyJson(content) ?? ''
    await testInfo.attach(file, { body, contentType: 'application/json' })
  }
  const file = testInfo.outputPath(reproduction)
  await writeFile(file, `${stringifyJson(contents[reproduction])}\n`)
  const hint =
    entries.length > 0
      ? `To repeat the requests of this test: npx petstore-mock replay ${quoteForShell(relative('.', file))}`
      : `No request of this test reached ${name === 'petstore' ? 'the mock' : `the mock "${name}"`}. Does ${option} name the address to which the application sends them, and does no mock in the page answer them?`
  console.error(`petstore-mock: ${hint}`)
}
