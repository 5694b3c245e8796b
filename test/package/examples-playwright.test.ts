import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { stringifyJson } from '../../src/lib/json.js'
import { findChromium, hasChromium } from '../support/chromium.js'
import { runCommand, startCommand, stop, urlPrintedBy } from '../support/command.js'
import { testedBlocks } from '../support/docs-blocks.js'
import { runQuietly, setUpExample } from '../support/examples.js'
import { findFreePort } from '../support/find-free-port.js'
import { isFullRun } from '../support/full-run.js'
import { recordRun } from '../support/recorded-run.js'

const canRun = hasChromium()

/** The example, with the test of docs/end-to-end.md. */
let project: string
let variables: Record<string, string>

beforeAll(async () => {
  project = await setUpExample('playwright-parallel')
  const [block] = testedBlocks('docs/end-to-end.md', 'test/package/examples-playwright.test.ts')
  writeFileSync(join(project, 'tests/of-the-page.spec.ts'), block?.code ?? '')
  variables = {
    CHROMIUM_PATH: findChromium() ?? '',
    PETSTORE_PORT: String(await findFreePort()),
    SHOP_PORT: String(await findFreePort()),
  }
})

it.skipIf(!canRun)('runs the example for Playwright', async () => {
  await runQuietly(project, ['run', 'types'])
  const output = await runQuietly(project, isFullRun ? ['test'] : ['test', '--', 'of-the-page'], variables)
  expect(output).toContain(isFullRun ? 'Running 21 tests using 4 workers' : 'Running 1 test using 1 worker')
  expect(output).toMatch(isFullRun ? /^ +21 passed/m : /^ +1 passed/m)
  expect(output).not.toMatch(/failed|flaky|skipped|did not run/)
})

it.skipIf(!canRun)('runs the example with two services in one test', async () => {
  const folder = await setUpExample('two-services')
  const output = await runQuietly(folder, ['test'], variables)
  expect(output).toMatch(/^ +4 passed/m)
  expect(output).not.toMatch(/failed|flaky|skipped|did not run/)
})

it.runIf(canRun && isFullRun)('needs the sandboxes of its workers', async () => {
  const without = runQuietly(project, ['test', '--', 'at-the-same-time'], { ...variables, SANDBOX: 'all' })
  await expect(without).rejects.toThrow(/number 7[456]\..*^ +4 failed/ms)
})

it.runIf(canRun && isFullRun)('gives every worker a server, and attaches what reproduces a failure', async () => {
  const folder = fileURLToPath(new URL('playwright', import.meta.url))
  cpSync(folder, join(project, 'own-server'), { recursive: true })
  writeFileSync(join(project, 'own-server', 'generated.spec.ts'), await generateTest(project))
  const file = join(project, 'report.json')
  const report = { ...variables, PLAYWRIGHT_JSON_OUTPUT_NAME: file }
  const output = await runQuietly(project, ['test', '--', '--config', 'own-server'], report).catch(String)
  const results = readResults(readFileSync(file, 'utf8'))
  const [failed, passed] = [true, false].map((isFailure) =>
    results.filter(({ title }) => title.startsWith('fails') === isFailure),
  )
  expect(passed?.map(({ title, status }) => [title, status])).toEqual(passed?.map(({ title }) => [title, 'passed']))
  expect(passed).toHaveLength(14)
  expect(passed).toContainEqual(expect.objectContaining({ title: expect.stringMatching(/^\d+ requests, from GET/) }))
  expect(failed).toMatchObject([
    { status: 'failed', message: expect.stringContaining('Use the same host name for the page and this server') },
    { status: 'failed', message: expect.stringContaining('It received no createOrder, but:') },
    { status: 'failed', message: expect.stringContaining('Fault rule 1 for getPet was never applied.') },
  ])
  const hars = failed?.map(({ attachments }) => JSON.parse(attachments['petstore-requests.har'] ?? '').log.entries)
  const refused = { request: { url: expect.stringMatching('/api/pets/1$') }, response: { status: 403 } }
  expect(hars).toMatchObject([[refused], [{ response: { status: 200 } }], []])
  const saved = [...output.matchAll(/npx petstore-mock replay (\S+)/g)].map(([, path = '']) => join(project, path))
  expect(saved).toHaveLength(2)
  expect(output).toContain('petstore-mock: No request of this test reached the mock. Does petstoreBaseUrl name')
  for (const [index, { attachments }] of (failed ?? []).entries()) {
    expect(Object.keys(attachments)).toEqual([
      'petstore-requests.har',
      'petstore-state.json',
      'petstore-rules.json',
      'reproduction.petstore.json',
    ])
    const { 'petstore-state.json': state = '', 'reproduction.petstore.json': reproduction = '' } = attachments
    if (hars?.[index].length > 0) {
      expect(saved.map((file) => readFileSync(file, 'utf8').trim())).toContain(reproduction)
    }
    expect(await stateAfterReplay(project, reproduction)).toEqual(JSON.parse(state))
  }
})

/** A test with every kind of recorded step, as `replay --as playwright` prints it. */
async function generateTest(folder: string): Promise<string> {
  const file = join(folder, 'recorded.petstore.json')
  writeFileSync(file, stringifyJson((await recordRun()).reproduction()) as string)
  const { code, stdout } = await runCommand(['replay', file, '--as', 'playwright'])
  expect(code).toBe(0)
  return stdout
}

/** The data of a server that continues after the last request of a reproduction. */
async function stateAfterReplay(folder: string, reproduction: string): Promise<unknown> {
  const file = join(folder, 'reproduction.petstore.json')
  writeFileSync(file, reproduction)
  const { sandbox, steps } = JSON.parse(reproduction)
  const after = steps.filter((step: object) => 'request' in step).length + 1
  const command = startCommand(['replay', file, '--until', String(after), '--port', '0'])
  const url = await urlPrintedBy(command)
  const response = await fetch(`${url}/sandbox/${sandbox}/__admin/state`)
  const state = await response.json()
  await stop(command)
  return state
}

interface Suite {
  readonly suites?: readonly Suite[]
  readonly specs?: readonly {
    readonly title: string
    readonly tests: readonly {
      readonly results: readonly {
        readonly status: string
        readonly error?: { readonly message: string }
        readonly attachments: readonly { readonly name: string; readonly body?: string }[]
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
          attachments: textsOf(attachments.filter(({ name }) => name.includes('petstore'))),
        })),
      ),
    ),
  ]
  return readSuite(JSON.parse(report)) as {
    title: string
    status: string
    message: string
    attachments: Record<string, string>
  }[]
}

function textsOf(attachments: readonly { readonly name: string; readonly body?: string }[]): Record<string, string> {
  return Object.fromEntries(attachments.map(({ name, body = '' }) => [name, Buffer.from(body, 'base64').toString()]))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of the terminal
const ANSI = /\u001b\[[0-9;]*m/g
