import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { findChromium, hasChromium } from '../support/chromium.js'
import { runQuietly, setUpExample } from '../support/examples.js'
import { findFreePort } from '../support/find-free-port.js'

const canRun = hasChromium()

it.skipIf(!canRun)('runs the example for Playwright, whose workers need their sandboxes', async () => {
  const project = await setUpExample('playwright-parallel')
  const variables = {
    CHROMIUM_PATH: findChromium() as string,
    PETSTORE_PORT: String(await findFreePort()),
    SHOP_PORT: String(await findFreePort()),
  }
  await runQuietly(project, ['run', 'types'])

  const output = await runQuietly(project, ['test'], variables)
  expect(output).toContain('Running 20 tests using 4 workers')
  expect(output).toMatch(/^ +20 passed/m)
  expect(output).not.toMatch(/failed|flaky|skipped|did not run/)

  // The conflicting tests pass only because of the sandboxes.
  const without = runQuietly(project, ['test', '--', 'at-the-same-time'], { ...variables, SANDBOX: 'all' })
  await expect(without).rejects.toThrow(/number 7[456]\..*^ +4 failed/ms)

  const folder = fileURLToPath(new URL('playwright', import.meta.url))
  cpSync(folder, join(project, 'own-server'), { recursive: true })
  const file = join(project, 'report.json')
  const report = { ...variables, PLAYWRIGHT_JSON_OUTPUT_NAME: file }
  await expect(runQuietly(project, ['test', '--', '--config', 'own-server'], report)).rejects.toThrow()
  const results = readResults(readFileSync(file, 'utf8'))
  const [failed, passed] = [true, false].map((isFailure) =>
    results.filter(({ title }) => title.startsWith('fails') === isFailure),
  )
  expect(passed?.map(({ title, status }) => [title, status])).toEqual(passed?.map(({ title }) => [title, 'passed']))
  expect(passed).toHaveLength(8)
  expect(failed).toMatchObject([
    { status: 'failed', message: expect.stringContaining('It received no createOrder, but:') },
    { status: 'failed', message: expect.stringContaining('Fault rule 1 for getPet was never applied.') },
  ])
  for (const { attachments } of failed ?? []) {
    expect(attachments).toEqual(['petstore-requests.har', 'petstore-state.json', 'petstore-rules.json'])
  }
})

interface Suite {
  readonly suites?: readonly Suite[]
  readonly specs?: readonly {
    readonly title: string
    readonly tests: readonly {
      readonly results: readonly {
        readonly status: string
        readonly error?: { readonly message: string }
        readonly attachments: readonly { readonly name: string }[]
      }[]
    }[]
  }[]
}

/** The tests in Playwright's JSON report. */
function readResults(report: string) {
  const readSuite = ({ suites = [], specs = [] }: Suite): { title: string; status: string }[] => [
    ...suites.flatMap(readSuite),
    ...specs.flatMap(({ title, tests }) =>
      tests.flatMap(({ results }) =>
        results.map(({ status, error, attachments }) => ({
          title,
          status,
          message: error?.message.replaceAll(ANSI, '') ?? '',
          attachments: attachments.map(({ name }) => name).filter((name) => name.startsWith('petstore')),
        })),
      ),
    ),
  ]
  return readSuite(JSON.parse(report)) as { title: string; status: string; message: string; attachments: string[] }[]
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of the terminal
const ANSI = /\u001b\[[0-9;]*m/g
