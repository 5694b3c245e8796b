import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { parseFixture, readFixtureFile } from '../../src/cli/files.js'
import { run } from '../../src/cli/run.js'
import { createPetstore, type PetstoreOptions, type ScenarioName } from '../../src/index.js'
import type { PartialFixture } from '../../src/petstore/fixtures/format.js'
import { petstoreService } from '../../src/petstore/service.js'
import { makeFolder, writeIn } from '../support/certificates.js'
import { endCommands, runCommand, runWithBrokenOutput, spawnCommand, startCommand } from '../support/command.js'
import { expectFailure } from '../support/expect-failure.js'
import { openServer } from '../support/raw-connection.js'
import { stubService } from '../support/stub-service.js'

afterEach(endCommands)

const URL = 'http://127.0.0.1:4010'

async function stateOf(options: PetstoreOptions) {
  const petstore = createPetstore(options)
  await petstore.ready
  return petstore.exportState()
}

async function load(file: string) {
  const fixtures = await parseFixture(file, await readFixtureFile(file), petstoreService)
  return stateOf({ fixtures: fixtures as PartialFixture })
}

const SUMMARY = 'petstore-mock: Wrote 1 category, 1 pet, 1 inventory entry and 1 order'

describe('pull', () => {
  it('prints the data of a service as a fixture file', async () => {
    const { requests } = stubService({ scenario: 'single' })
    const { code, stdout, stderr } = await runCommand(['pull', `${URL}/`, '--header', 'Authorization: Bearer secret'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: `${SUMMARY}.\n` })
    const file = writeIn(makeFolder(), 'copy.json', stdout)
    expect(await load(file)).toEqual(await stateOf({ scenario: 'single' }))
    expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET']))
    expect(requests[0]?.headers.get('Authorization')).toBe('Bearer secret')
    expect(stdout).not.toContain('secret')
  })

  it.each<[string, ScenarioName]>([
    ['copy.json', 'edge-cases'],
    ['copy.yaml', 'big-ids'],
  ])('writes %s', async (name, scenario) => {
    stubService({ scenario })
    const folder = makeFolder()
    const file = join(folder, name)
    const { code, stdout, stderr } = await runCommand(['pull', URL, '--output', file])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toMatch(
      /^petstore-mock: Wrote \d+ categories, \d+ pets, \d+ inventory entries and \d+ orders to [^\n]+\.\n$/,
    )
    expect(await load(file)).toEqual(await stateOf({ scenario }))
    expect(readdirSync(folder)).toEqual([name])
    const line = /^ {2}- \{ id: 9223372036854775807, name: ".*$/m
    if (name === 'copy.yaml') expect(readFileSync(file, 'utf8')).toMatch(line)
  })

  it('replaces a file only with --force', async () => {
    const { requests } = stubService({ scenario: 'single' })
    const folder = makeFolder()
    const file = writeIn(folder, 'mine.json', 'mine')
    expectFailure(
      await runCommand(['pull', URL, '--output', file]),
      'mine.json: File exists. To replace it, add --force.',
    )
    expect(readFileSync(file, 'utf8')).toBe('mine')
    expect(requests).toEqual([])
    expect(await runCommand(['pull', URL, '--output', file, '--force'])).toMatchObject({ code: 0 })
    expect(await load(file)).toMatchObject({ pets: [{ id: 1 }] })
    expect(readdirSync(folder)).toEqual(['mine.json'])
  })

  it('does not replace a file that appears while it reads', async () => {
    const file = join(makeFolder(), 'late.json')
    const { petstore } = stubService({ scenario: 'single' })
    petstore.override('listOrders', () => {
      writeFileSync(file, 'mine')
      return { status: 200, body: [] }
    })
    expectFailure(await runCommand(['pull', URL, '--output', file]), 'File exists')
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  it('does not replace a folder, a device or a link that leads nowhere, whatever the flags', async () => {
    stubService({ scenario: 'single' })
    const folder = makeFolder()
    mkdirSync(join(folder, 'folder.json'))
    symlinkSync('/dev/null', join(folder, 'device.json'))
    symlinkSync('missing.json', join(folder, 'link.json'))
    for (const [name, problem] of [
      ['folder.json', 'Exists and is not a regular file.'],
      ['device.json', 'Exists and is not a regular file.'],
      ['link.json', 'Exists and is a link that leads nowhere.'],
    ] as const) {
      const outcome = await runCommand(['pull', URL, '--force', '--output', join(folder, name)])
      expectFailure(outcome, `${name}: ${problem}`)
    }
    expect(readdirSync(folder).sort()).toEqual(['device.json', 'folder.json', 'link.json'])
  })

  it('replaces the file that a link leads to, with its permissions, and keeps the link', async () => {
    stubService({ scenario: 'single' })
    const folder = makeFolder()
    const file = writeIn(folder, 'secret.json', 'mine')
    chmodSync(file, 0o600)
    symlinkSync('secret.json', join(folder, 'link.json'))
    expect(await runCommand(['pull', URL, '--force', '--output', join(folder, 'link.json')])).toMatchObject({ code: 0 })
    expect(readlinkSync(join(folder, 'link.json'))).toBe('secret.json')
    expect(await load(file)).toMatchObject({ pets: [{ id: 1 }] })
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('leaves nothing behind if it fails', async () => {
    const { petstore } = stubService({ scenario: 'single' })
    petstore.faults.add({ operation: 'listOrders', status: 503 })
    const folder = makeFolder()
    expectFailure(await runCommand(['pull', URL, '-o', join(folder, 'a.json')]), 'GET /store/orders returned 503')
    expect(readdirSync(folder)).toEqual([])
    petstore.faults.clear()
    const error = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    expect(await runWithBrokenOutput(['pull', URL], error)).toMatchObject({ code: 1 })
  })

  it('needs a folder that it can write to, before it reads', async () => {
    const { requests } = stubService({ scenario: 'single' })
    const folder = makeFolder()
    const file = writeIn(folder, 'file', '')
    const missing = join(folder, 'no')
    for (const [parent, problem] of [
      [missing, `the folder ${missing} does not exist.`],
      [file, `${file} is not a folder.`],
    ] as const) {
      const outcome = await runCommand(['pull', URL, '-o', join(parent, 'a.json')])
      expectFailure(outcome, `a.json: Cannot write the file: ${problem}`)
    }
    expect(requests).toEqual([])
    expect(readdirSync(folder)).toEqual(['file'])
  })

  it.runIf(process.getuid?.() !== 0)('needs a folder that is writable, before it reads', async () => {
    const { requests } = stubService({ scenario: 'single' })
    const folder = makeFolder()
    chmodSync(folder, 0o500)
    const outcome = await runCommand(['pull', URL, '-o', join(folder, 'a.json')])
    expectFailure(outcome, `a.json: Cannot write the file: the folder ${folder} is not writable.`)
    expect(requests).toEqual([])
  })

  it('says what was left out and which fields were dropped, in one safe line each', async () => {
    const { petstore } = stubService({ scenario: 'single' })
    const pets = [{ id: 1, name: 'Rex', categoryId: 1, '\u001b[31mred\n': 'secret', owner: 'secret' }, { id: 2 }]
    petstore.override('listPets', { status: 200, body: pets as never }, { unchecked: true })
    const { code, stderr } = await runCommand(['pull', URL])
    expect(code).toBe(0)
    expect(stderr.split('\n')).toEqual([
      `${SUMMARY}.`,
      'petstore-mock: Dropped fields that the OpenAPI document does not have: "\\u001b[31mred\\n", owner (pets).',
      'petstore-mock: Left out 1 pet: pet 2: /name is missing.',
      '',
    ])
  })

  it('stops on a signal', async () => {
    const file = join(makeFolder(), 'a.json')
    const { petstore } = stubService({ scenario: 'single' })
    const command = startCommand(['pull', URL, '--output', file])
    petstore.override('listPets', () => {
      command.kill('SIGINT')
      return { status: 200, body: [] }
    })
    expectFailure(await command.ended(), 'the run was stopped')
    expect(existsSync(file)).toBe(false)
  })

  it('shows its progress on a terminal only', async () => {
    stubService({ pets: 150, orders: 0, categories: 1 })
    let stderr = ''
    const capture = (add: (text: string) => void) =>
      new Writable({
        write(chunk, _encoding, done) {
          add(String(chunk))
          done()
        },
      })
    const io = {
      stdin: Readable.from([]),
      stdout: capture(() => {}),
      stderr: Object.assign(
        capture((text) => (stderr += text)),
        { isTTY: true },
      ),
      cwd: () => '.',
      catchSignals: () => new AbortController().signal,
    }
    expect(await run(['pull', URL], {}, io)).toBe(0)
    expect(stderr).toContain('\rReading pets: 100 of 150')
    expect(stderr).toMatch(
      /\r {20,}\rpetstore-mock: Wrote 1 category, 150 pets, 150 inventory entries and 0 orders\.\n$/,
    )
  })

  it('works in the built command', async () => {
    const server = await openServer({ scenario: 'single' })
    const { code, stdout, stderr } = await spawnCommand(['pull', server.url]).ended()
    expect({ code, stderr }).toEqual({ code: 0, stderr: `${SUMMARY}.\n` })
    expect(JSON.parse(stdout)).toMatchObject({ pets: [{ id: 1 }] })
  })
})

describe('pull --har', () => {
  async function createHar(): Promise<string> {
    const petstore = createPetstore({ scenario: 'single' })
    for (const path of ['categories', 'pets', 'store/inventory', 'store/orders']) await petstore.fetch(`/${path}`)
    return JSON.stringify(petstore.journal.toHar())
  }

  it('writes the data of recorded traffic, without a request', async () => {
    const { requests } = stubService({ scenario: 'single' })
    const folder = makeFolder()
    const har = writeIn(folder, 'traffic.har', await createHar())
    const file = join(folder, 'copy.json')
    const { code, stderr } = await runCommand(['pull', '--har', har, '--output', file])
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `${SUMMARY} to ${file}.\npetstore-mock: Used the responses of http://localhost.\n`,
    })
    expect(await load(file)).toEqual(await stateOf({ scenario: 'single' }))
    expect(await runCommand(['pull', 'http://localhost', '--har', har])).toMatchObject({ code: 0 })
    expect(requests).toEqual([])
  })

  it.each([
    ['missing.har', undefined, 'File not found.'],
    ['cut.har', '{"log":{"entries":[{"request":', 'Invalid JSON at line 1, column 31: found the end of the file.'],
    ['other.har', '{"pets":[]}', 'Not a HAR file: it has no list "entries" in "log"'],
    ['deep.har', '['.repeat(200_000), 'Nested too deeply.'],
  ])('rejects %s in one line', async (name, content, message) => {
    const folder = makeFolder()
    const har = join(folder, name)
    if (content !== undefined) writeFileSync(har, content)
    const file = writeIn(folder, 'mine.json', 'mine')
    expectFailure(await runCommand(['pull', '--har', har, '--output', file, '--force']), `${har}: ${message}`)
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  it('rejects a file of 100 MB without reading it', async () => {
    const har = writeIn(makeFolder(), 'huge.har', '')
    truncateSync(har, 100_000_000)
    expectFailure(await runCommand(['pull', '--har', har]), `${har}: File exceeds 64 MiB.`)
  })
})
