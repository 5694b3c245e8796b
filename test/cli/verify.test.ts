import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Fetch } from '../../src/tools/server/send-request.js'
import type { Report } from '../../src/tools/verify/report.js'
import { type Alteration, all, alterResponses, field, header } from '../support/alter-responses.js'
import { endCommands, runCommand, startCommand, stop } from '../support/command.js'
import { findFreePort } from '../support/find-free-port.js'
import { openServer } from '../support/raw-connection.js'
import { serve } from '../support/serve.js'
import { stubService } from '../support/stub-service.js'
import { differencesOf } from '../support/verify.js'

afterEach(endCommands)

const methodsOf = (requests: readonly Request[]) => [...new Set(requests.map(({ method }) => method))].sort()

const altering = (alter: Alteration) => (fetch: Fetch) => alterResponses(fetch, alter)

const URL = 'http://127.0.0.1:4010'
const READS = ['GET', 'HEAD', 'OPTIONS']

/** What responds is not recognised as a mock. */
const anonymous: Alteration = ({ headers }) => headers.delete('X-Petstore-Mock')

describe('verify', () => {
  it('finds no difference in a local mock, below a path, and deletes what it created there', async () => {
    const { petstore } = stubService({ scenario: 'single' })
    const { code, stdout, stderr } = await runCommand(['verify', `${URL}/sandbox/a/`])
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' })
    const [title, , pets, store, , left, first, second, summary] = stdout.trimEnd().split('\n')
    expect(title).toBe(`petstore-mock verify ${URL}/sandbox/a`)
    expect(pets).toMatch(/^✓ Pets +10 operations, \d+ checks$/)
    expect(store).toMatch(/^✓ Store +8 operations, \d+ checks$/)
    expect(left).toBe('Left behind: 2 records that verify created')
    for (const line of [first, second]) {
      expect(line).toMatch(/^ {2}order \d+: DELETE returned 409 ORDER_COMPLETE, and it is still there$/)
    }
    expect(summary).toMatch(/^1\d\d passed, 0 failed, 0 skipped$/)
    for (const path of ['pets', 'categories']) {
      const response = await petstore.fetch(`/sandbox/a/${path}`)
      expect(response.headers.get('X-Total-Count')).toBe('1')
    }
    // Nothing was sent to the mock outside the sandbox.
    expect(petstore.journal.entries()).toStrictEqual([])
  })

  it('only reads from another service, sends the given headers, and says how to run the other checks', async () => {
    const { requests } = stubService({}, altering(anonymous))
    const args = ['verify', URL, '--header', 'Authorization: Bearer secret', '--header', 'X-Other: 1']
    const { code, stdout, stderr } = await runCommand(args)
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' })
    expect(methodsOf(requests)).toStrictEqual(READS)
    for (const { headers } of requests) {
      expect([headers.get('Authorization'), headers.get('X-Other')]).toStrictEqual(['Bearer secret', '1'])
    }
    expect(stdout).not.toContain('secret')
    expect(stdout).toMatch(/^ {2}- createPet +\d+ skipped: writes to the service$/m)
    expect(stdout).toMatch(
      /\nRead-only: \d+ checks that would write to the service were skipped\. [^\n]+\nadd --allow-writes/,
    )
    expect(stdout).toMatch(/\n\d+ passed, 0 failed, [1-9]\d+ skipped\n$/)
  })

  it('writes to any service with --allow-writes, and fails if a record of others has changed', async () => {
    let isDamaged = false
    const damaging: Alteration = (response) => {
      anonymous(response)
      if (response.operation !== 'createPet' || isDamaged) return
      isDamaged = true
      petstore.data.pets.update(pet?.id as never, { name: 'Somebody' })
    }
    const { petstore } = stubService({ scenario: 'single' }, altering(damaging))
    await petstore.ready
    const [pet] = petstore.data.pets.all()
    const { code, stdout, stderr } = await runCommand(['verify', URL, '--allow-writes', '--format', 'json'])
    expect({ code, stderr }).toStrictEqual({ code: 1, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({
      baseUrl: URL,
      wroteData: true,
      failed: 0,
      changed: [
        {
          kind: 'pet',
          id: String(pet?.id),
          before: expect.stringContaining(`"name":"${pet?.name}"`),
          after: expect.stringContaining('"name":"Somebody"'),
        },
      ],
    })
  })

  it('only reads from a local mock with --read-only, and lists the differences', async () => {
    const alterations = {
      'listPets body /*/name': field('listPets', 'name'),
      'getPet header Sunset': header('getPet', 'Sunset'),
    }
    const { requests } = stubService({}, altering(all(...Object.values(alterations))))
    const json = await runCommand(['verify', URL, '--format', 'json', '--read-only'])
    const text = await runCommand(['verify', URL], { PETSTORE_READ_ONLY: 'true' })
    const junit = await runCommand(['verify', URL, '--format', 'junit', '--read-only'])
    expect(junit.stdout).toContain('<failure type="difference" message="header Sunset: expected')
    expect(json).toMatchObject({ code: 1, stderr: '' })
    expect(text).toMatchObject({ code: 1, stderr: '' })
    expect(methodsOf(requests)).toStrictEqual(READS)
    const report = JSON.parse(json.stdout) as Report
    expect(differencesOf(report)).toStrictEqual(Object.keys(alterations))
    expect(report).toMatchObject({ baseUrl: URL, wroteData: false, differences: 2 })
    expect(text.stdout).toMatch(
      /^ {6}header Sunset \(in \d+ checks\)\n {8}sent {5}GET \/pets\/\d+\n {8}expected [^\n]+ GMT\n {8}received no such header$/m,
    )
    expect(text.stdout).toMatch(/\n\d+ passed, [1-9]\d* failed, \d+ skipped: 2 differences\n$/)
  })

  it('says in one line that nothing responds, or not in time, or that it is not a Pet Store API', async () => {
    const silentUrl = await serve(() => {})
    const filesUrl = await serve((_request, response) => {
      response.writeHead(404, { 'Content-Type': 'text/html' }).end('<p>')
    })
    const closedUrl = `http://127.0.0.1:${await findFreePort()}`
    const refused = await runCommand(['verify', closedUrl, '--format', 'json'])
    const late = await runCommand(['verify', silentUrl, '--timeout', '50'])
    const files = await runCommand(['verify', filesUrl, '--format', 'junit'])
    const sentence = (url: string, why: string) => `petstore-mock: ${url} does not respond: ${why}\n`
    const failed = { code: 1, stdout: '' }
    expect(refused).toMatchObject({ ...failed, stderr: sentence(closedUrl, 'connection refused') })
    expect(late).toMatchObject({ ...failed, stderr: sentence(silentUrl, 'no response within 50 ms') })
    expect(files).toMatchObject(failed)
    expect(files.stderr).toMatch(
      /^petstore-mock: http:\S+ does not look like a Pet Store API: GET \/pets, [^\n]+ returned 404 with text\/html; is the base address right[^\n…]+\n$/,
    )
  })

  it('says in one line where a service redirects to, and that it does not answer HTTPS', async () => {
    const url = await serve((request, response) => {
      response.writeHead(301, { Location: `https://pets.example${request.url}` }).end()
    })
    const redirected = await runCommand(['verify', url])
    const hint = 'the first leads to https://pets.example/pets; redirects are not followed'
    expect(redirected).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(`, a redirect; ${hint}\n$`) })
    const secure = url.replace('http:', 'https:')
    expect(await runCommand(['verify', secure])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `petstore-mock: ${secure} does not respond: it does not answer HTTPS; use http:// in its address\n`,
    })
  })

  it('deletes what it created when it is interrupted', async () => {
    const server = await openServer({ scenario: 'empty' })
    const command = startCommand(['verify', server.url])
    await vi.waitUntil(() => server.petstore.data.pets.all().length > 0, { timeout: 60_000, interval: 1 })
    const { code, stdout, stderr } = await stop(command, 'SIGINT')
    expect({ code, stderr }).toStrictEqual({ code: 1, stderr: '' })
    expect(stdout).toContain('the run was stopped')
    expect(server.petstore.data.pets.all()).toStrictEqual([])
    expect(server.petstore.data.categories.all()).toStrictEqual([])
  })
})
