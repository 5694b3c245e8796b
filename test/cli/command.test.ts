import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { createServer } from 'node:net'
import os, { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { parse } from 'yaml'
import { commandHelp, generalHelp } from '../../src/cli/help.js'
import { createPetstore } from '../../src/index.js'
import { openapi } from '../../src/petstore/documents.js'
import {
  COMMAND_FILE,
  endCommands,
  type Outcome,
  readyEventOf,
  runCommand,
  runWithBrokenOutput,
  spawnCommand,
  startCommand,
  stop,
  urlPrintedBy,
} from '../support/command.js'
import { openConnection, type RawConnection, toHttpText } from '../support/raw-connection.js'

afterEach(endCommands)
afterEach(() => void vi.restoreAllMocks())

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}
const PET = JSON.stringify({ name: 'Bo', categoryId: 1 })
const NEW_PET = { method: 'POST', body: PET, headers: { 'content-type': 'application/json' } }

const JSON_ON_ANY_PORT = ['--port', '0', '--log-format', 'json']

async function startJson(args: readonly string[], variables?: Record<string, string>) {
  const command = startCommand([...JSON_ON_ANY_PORT, ...args], variables)
  return { command, ready: await readyEventOf(command) }
}

/** Expects an empty standard output and one line on standard error, without a stack trace. */
function expectFailure({ code, stdout, stderr }: Outcome, expectedCode: number, ...parts: string[]): void {
  expect({ code, stdout }).toStrictEqual({ code: expectedCode, stdout: '' })
  expect(stderr).toMatch(/^petstore-mock: [^\n]+\n$/)
  for (const part of parts) expect(stderr).toContain(part)
  expect(stderr).not.toMatch(/\bat .+:\d+|node_modules|file:\/\/|\.[cm]?[jt]s\b/)
}

function replaceNetworkInterfaces(addresses: Record<string, Partial<os.NetworkInterfaceInfo>[]>): void {
  const spy = vi.spyOn(os, 'networkInterfaces').mockReturnValue(addresses as NodeJS.Dict<os.NetworkInterfaceInfo[]>)
  // Named imports of the function change only then.
  syncBuiltinESMExports()
  onTestFinished(() => {
    spy.mockRestore()
    syncBuiltinESMExports()
  })
}

describe('the built command', () => {
  it('prints its version and exits with 0, and reports a usage error with 2', async () => {
    const [shown, rejected] = await Promise.all([
      spawnCommand(['--version']).ended(),
      spawnCommand(['--prot', '0']).ended(),
    ])
    expect(shown).toStrictEqual({ code: 0, signal: null, stdout: `${version}\n`, stderr: '' })
    expectFailure(rejected, 2, 'petstore-mock: Unknown flag --prot. Did you mean --port? See "petstore-mock --help".\n')
  })

  it('prints URLs and requests for people, without colours into a pipe, and exits with 0 on SIGINT', async () => {
    const command = spawnCommand(['--port', '0'])
    const url = await urlPrintedBy(command)
    expect((await fetch(`${url}/pets?limit=1`)).status).toBe(200)
    expect((await fetch(`${url}/nope`)).status).toBe(404)
    await command.printed(/^[0-9:]{8} GET +200 +listPets +\/pets\?limit=1 +[0-9.]+ ms$/m)
    await command.printed(/^[0-9:]{8} GET +404 +- +\/nope +[0-9.]+ ms ROUTE_NOT_FOUND\n {4}Unknown path "\/nope"/m)
    const { stdout, ...end } = await stop(command, 'SIGINT')
    expect(end).toStrictEqual({ code: 0, signal: null, stderr: '' })
    expect(stdout.startsWith(`petstore-mock ${version} is ready (scenario default, seed 1)\n`)).toBe(true)
    expect(stdout).not.toContain('\u001b')
  })

  it('prints the same as JSON, and finishes requests in progress before it exits on SIGTERM', async () => {
    const command = spawnCommand(JSON_ON_ANY_PORT)
    const ready = await readyEventOf(command)
    const { url, port } = ready
    const address = { url: `http://127.0.0.1:${port}`, host: '127.0.0.1', port: expect.any(Number) }
    expect(ready).toStrictEqual({ event: 'ready', ...address, version, seed: 1, scenario: 'default' })
    expect((await fetch(`${url}/nope`)).status).toBe(404)

    const connection = await openConnection(port)
    const head = ['POST /pets HTTP/1.1', 'Host: localhost', 'Content-Type: application/json']
    connection.send(toHttpText([...head, `Content-Length: ${PET.length}`, 'Expect: 100-continue']))
    expect((await connection.response()).status).toBe(100)
    command.kill('SIGTERM')
    await command.printed(/"event":"stopping"/)
    connection.send(PET)
    const [response] = await connection.rest()
    expect(response).toMatchObject({ status: 201, body: { name: 'Bo' } })
    expect(response?.headers.get('connection')).toBe('close')

    const { stdout, ...end } = await command.ended()
    expect(end).toStrictEqual({ code: 0, signal: null, stderr: '' })
    const lines = stdout.trimEnd().split('\n')
    const usual = { at: expect.any(String), durationMs: expect.any(Number) }
    expect(lines.slice(1).map((line) => JSON.parse(line) as unknown)).toStrictEqual([
      {
        event: 'request',
        method: 'GET',
        target: '/nope',
        status: 404,
        code: 'ROUTE_NOT_FOUND',
        violations: [expect.stringContaining('Unknown path "/nope"')],
        ...usual,
      },
      { event: 'stopping' },
      { event: 'request', method: 'POST', target: '/pets', operation: 'createPet', status: 201, ...usual },
    ])
  })

  it('keeps running when the reader closes its output', async () => {
    const command = spawnCommand(JSON_ON_ANY_PORT)
    const { url } = await readyEventOf(command)
    command.child.stdout?.destroy()
    for (let round = 0; round < 10; round++) expect((await fetch(`${url}/pets`)).status).toBe(200)
    expect(await stop(command)).toMatchObject({ code: 0, signal: null, stderr: '' })
  })

  it.skipIf(process.platform === 'win32')('closes the longest idle connection at the limit of open files', async () => {
    const args = [...JSON_ON_ANY_PORT, '--quiet', '--idle-timeout-ms', '60000']
    const { url, port } = await readyEventOf(spawnCommand(args, { maxOpenFiles: 72 }))
    const connections: RawConnection[] = []
    for (let count = 0; count < 80; count += 1) {
      const connection = await openConnection(port)
      connection.send(toHttpText(['GET /pets/1 HTTP/1.1', 'Host: localhost']))
      expect((await connection.response()).status).toBe(200)
      connections.push(connection)
    }
    expect(await connections[0]?.rest()).toEqual([])
    expect((await fetch(`${url}/__admin/health`)).status).toBe(200)
  })

  it('G15 generates the same data from the same seed in another process, time zone and language', async () => {
    // Turkish has another lower case of I.
    const variables = { PETSTORE_SEED: '7', TZ: 'Asia/Tokyo', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' }
    const { url } = await readyEventOf(spawnCommand(JSON_ON_ANY_PORT, { variables }))
    const lists = [
      '/pets?',
      '/pets?sort=name&name=I&',
      '/categories?',
      '/store/inventory?',
      '/store/orders?sort=-shipDate&',
    ]
    const read = (base: string, get = fetch) =>
      Promise.all(lists.map(async (list) => (await get(`${base}${list}limit=100`)).text()))
    const inMemory = (seed: number) => read('', createPetstore({ seed }).fetch as typeof fetch)
    const served = await read(url)
    expect(served).toEqual(await inMemory(7))
    expect(served).not.toEqual(await inMemory(1))
  })
})

it('prints help for all commands and for one', async () => {
  expect(await runCommand(['--help'])).toMatchObject({ code: 0, stderr: '', stdout: generalHelp() })
  expect(await runCommand(['serve', '--help'])).toMatchObject({ code: 0, stderr: '', stdout: commandHelp('serve') })
  expect(await runCommand(['help', 'verify'])).toMatchObject({ code: 0, stderr: '', stdout: commandHelp('verify') })
})

it('prints the OpenAPI document', async () => {
  expect(await runCommand(['spec'])).toMatchObject({ code: 0, stderr: '', stdout: openapi.yaml })
  const { code, stdout } = await runCommand(['spec', '--format', 'json'])
  expect({ code, document: JSON.parse(stdout) as unknown }).toEqual({ code: 0, document: parse(openapi.yaml) })
})

// The messages themselves are tested in test/unit/command-*.test.ts.
it.each<[args: string[], variables: Record<string, string>, ...parts: string[]]>([
  [['verify', 'localhost:4010'], {}, 'Received: "localhost:4010".', 'http://'],
  [['--port', '0', '--scenario', 'bussy'], {}, 'Unknown scenario "bussy". Did you mean "busy"?'],
  [['--max-json-depth', '1001'], {}, ': --max-json-depth must be a whole number from 0 to 1000. Received: 1001.\n'],
  [[], { PETSTORE_MAX_JSON_DEPTH: '1001' }, ': PETSTORE_MAX_JSON_DEPTH must be a whole number from 0 to 1000.'],
  [['--port', '0', '--cors', 'nope'], {}, ': --cors must be a list of origins such as https://app.example.', '[nope]'],
  [['generate', '--scenario', 'nope'], {}, 'Unknown scenario "nope". Available: '],
  [['generate', '--scenario', 'empty', '--pets', '3'], {}, ': --pets must be omitted, because scenario "empty"'],
  [['generate', '--pets', '0', '--orders', '1'], {}, ': --pets must be 1 or more, because every order needs a pet.'],
  [['--port', '70000'], {}, ': --port must be a whole number from 0 to 65535. Received: "70000".'],
  [[], { PETSTORE_PORT: 'abc' }, 'PETSTORE_PORT', 'abc'],
])('H9 H10 reports %j with %j in one line and exits with 2', async (args, variables, ...parts) => {
  expectFailure(await runCommand(args, variables), 2, ...parts)
})

it('H11 H12 does not accept another OpenAPI document', async () => {
  expectFailure(await runCommand(['--spec', 'swagger-2.0.yaml']), 2, '--spec')
})

it('H8 reports that the port is in use', async () => {
  const other = createServer((socket) => socket.end('HTTP/1.1 400 No\r\n\r\n', () => socket.destroy()))
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => void other.close(() => resolve())))
  const { port } = other.address() as { port: number }
  const outcome = await runCommand(['serve', '--port', String(port)])
  expectFailure(outcome, 1, String(port), 'in use', 'Use --port or --host to listen elsewhere.')
  expect(outcome.stderr).not.toContain('already running')
})

it('H8 reports that another petstore-mock uses the port', async () => {
  // However long it takes on a busy machine to ask what runs there.
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal)
  const { ready } = await startJson(['--host', '[::1]', '--admin-token', 'secret'])
  expect(ready.url).toBe(`http://[::1]:${ready.port}`)
  const outcome = await runCommand(['--host', '::1', '--port', String(ready.port)])
  expectFailure(outcome, 1, `petstore-mock ${version} is already running there.`)
})

it('warns about a misspelled environment variable', async () => {
  const { command, ready } = await startJson(['--quiet'], { PETSTORE_SEDE: '7', PETSTORE_URL: 'http://a.test' })
  expect(ready.seed).toBe(1)
  command.kill('SIGTERM')
  const message = 'Unknown environment variable PETSTORE_SEDE. Did you mean PETSTORE_SEED?'
  const warning = `${JSON.stringify({ event: 'warning', message })}\n`
  expect(await command.ended()).toMatchObject({ code: 0, stderr: warning })
})

it.each<[args: string[], variables: Record<string, string>, code: number, message: string]>([
  [
    ['--log-format', 'json', '--prot', '0'],
    {},
    2,
    'Unknown flag --prot. Did you mean --port? See "petstore-mock --help".',
  ],
  [['--log-format=json', '--fixtures', 'no.yaml'], {}, 1, 'no.yaml: File not found.'],
  [['--scenario', 'nope', '--port', '0'], { PETSTORE_LOG_FORMAT: 'json' }, 2, 'Unknown scenario "nope".'],
])('reports errors as JSON with %j and %j', async (args, variables, code, message) => {
  const { stderr, ...outcome } = await runCommand(args, variables)
  expect(outcome).toMatchObject({ code, stdout: '' })
  expect(JSON.parse(stderr)).toEqual({ event: 'error', message: expect.stringContaining(message) })
})

it.each([
  [['verify', 'http://a.test', '--formt'], 'See "petstore-mock verify --help".'],
  [['pull'], 'See "petstore-mock pull --help".'],
  [['serve', '--port'], 'See "petstore-mock serve --help".'],
  [['frobnicate'], 'See "petstore-mock --help".'],
])('refers to the help of the command: %j', async (args, message) => {
  const { code, stderr } = await runCommand(args, { PETSTORE_LOG_FORMAT: args[0] === 'pull' ? 'json' : '' })
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^petstore-mock: /) })
  expect(stderr).toContain(message)
})

it('prints only the ready event with --quiet', async () => {
  const { command, ready } = await startJson(['--quiet'])
  for (const path of ['/pets', '/nope']) await fetch(ready.url + path)
  command.kill('SIGTERM')
  const stdout = `${JSON.stringify(ready)}\n`
  expect(await command.ended()).toStrictEqual({ code: 0, signal: null, stdout, stderr: '' })
})

it('uses flags and environment variables, and prefers flags', async () => {
  const { ready } = await startJson(['--scenario', 'empty', '--rules', 'off', '--sunset', 'enforce'], {
    PETSTORE_PORT: '70',
    PETSTORE_SEED: '5',
    PETSTORE_RULES: 'on',
    PETSTORE_SCENARIO: 'default',
    PETSTORE_ADMIN_TOKEN: 'from-the-environment',
    PETSTORE_STRICT: 'true',
  })
  expect(ready).toMatchObject({ seed: 5, scenario: 'empty' })
  expect(await (await fetch(`${ready.url}/pets`)).json()).toStrictEqual([])
  expect((await fetch(`${ready.url}/pets`, NEW_PET)).status).toBe(201)
  expect((await fetch(`${ready.url}/pets?bogus=1`)).status).toBe(400)
  expect((await fetch(`${ready.url}/__admin/health`)).status).toBe(401)
})

it.each<[string, string[], Record<string, string>]>([
  ['a flag', ['--admin-token', 'chosen-secret'], {}],
  ['the environment', [], { PETSTORE_ADMIN_TOKEN: 'chosen-secret' }],
])('does not print a token that is given by %s', async (_, args, variables) => {
  const pretty = startCommand(['--port', '0', ...args], variables)
  const { command: json, ready } = await startJson(args, variables)
  const statuses = await Promise.all(
    [await urlPrintedBy(pretty), ready.url].map(async (url) => (await fetch(`${url}/__admin/health`)).status),
  )
  expect(statuses).toEqual([401, 401])
  for (const command of [pretty, json]) {
    const { stdout, stderr } = await stop(command)
    expect(stdout + stderr).not.toContain('chosen-secret')
  }
})

it('prints the random token, and the addresses in the networks, if it listens on every address', async () => {
  replaceNetworkInterfaces({
    lo: [{ address: '127.0.0.1', family: 'IPv4', internal: true }],
    eth0: [
      { address: '192.0.2.7', family: 'IPv4', internal: false },
      { address: 'fe80::1', family: 'IPv6', internal: false },
    ],
  })
  const { command, ready } = await startJson(['--host', '0.0.0.0'])
  expect(ready.networkUrls).toEqual([`http://192.0.2.7:${ready.port}`])
  const headers = { authorization: `Bearer ${ready.adminToken}` }
  expect((await fetch(`${ready.url}/__admin/health`, { headers })).status).toBe(200)
  const connection = await openConnection(ready.port)
  connection.send(toHttpText(['GET /pets/1 HTTP/1.1', `Host: 192.0.2.7:${ready.port}`]))
  expect((await connection.response()).status).toBe(200)
  await stop(command)

  const pretty = startCommand(['--port', '0', '--host', '0.0.0.0'])
  await pretty.printed(/^ {2}API {8}http:\/\/127\.0\.0\.1:(\d+)\n {2}Network {4}http:\/\/192\.0\.2\.7:\1$/m)
  await pretty.printed(/^ {2}Token {6}[\w-]{20,} /m)
})

it.each(['generate', 'spec', 'help'])(
  'exits with 1 and one line if the output of %s cannot be written',
  async (name) => {
    const error = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    const outcome = await runWithBrokenOutput([name], error)
    expect(outcome).toEqual({ code: 1, stderr: `petstore-mock: Cannot write the output: ${error.message}.\n` })
  },
)

// A process may write no more than a block of 512 or 1024 bytes to a file, as on a disk with little space.
it.runIf(process.platform === 'linux')('exits with 1 if only a part of the output fits on the disk', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-mock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const script = 'ulimit -f 1; "$0" "$1" spec > part'
  const result = spawnSync('sh', ['-c', script, process.execPath, COMMAND_FILE], { cwd: folder, encoding: 'utf8' })
  expect(result).toMatchObject({ status: 1, stdout: '' })
  expect(result.stderr).toMatch(/^petstore-mock: Cannot write the output: EFBIG[^\n]+\n$/)
  expect(statSync(join(folder, 'part')).size).toBeGreaterThan(0)
})

it('prints the coverage of all sandboxes as JSON on exit', async () => {
  const { command, ready } = await startJson(['--coverage', '--quiet'])
  await fetch(`${ready.url}/pets/1`)
  await fetch(`${ready.url}/sandbox/a/pets/0`)
  const { code, stdout } = await stop(command)
  const last = JSON.parse(stdout.trimEnd().split('\n').at(-1) as string)
  expect({ code, ...last }).toMatchObject({ code: 0, event: 'coverage', summary: { operations: { exercised: 1 } } })
  expect(last.operations.find(({ operation }: { operation: string }) => operation === 'getPet').count).toBe(2)
})

it('prints which sandboxes are new, and which one was deleted because there were too many', async () => {
  const command = startCommand(['--port', '0', '--scenario', 'single', '--max-sandboxes', '1'])
  const url = await urlPrintedBy(command)
  for (const name of ['first', 'first', 'second']) await fetch(`${url}/sandbox/${name}/pets`)
  await command.printed(
    / \[first, new\] .*\n.* \[first\] .*\n.* \[second, new\] .*\n {4}Deleted sandbox first and its data/,
  )
  command.kill('SIGINT')
})

it('prints the coverage as a table on exit', async () => {
  const command = startCommand(['--port', '0', '--coverage'])
  await fetch(`${await urlPrintedBy(command)}/pets/1`)
  const { stdout } = await stop(command, 'SIGINT')
  expect(stdout).toMatch(/^getPet +GET \/pets\/\{petId\} +1 +deprecated/m)
})

it('prints in colour with FORCE_COLOR', async () => {
  const command = startCommand(['--port', '0'], { FORCE_COLOR: '1' })
  const url = await urlPrintedBy(command)
  await fetch(`${url}/pets/1`)
  await fetch(`${url}/nope`)
  await command.printed(/GET {5}\p{Cc}\[32m200\p{Cc}\[39m getPet/u)
  await command.printed(/GET {5}\p{Cc}\[33m404\p{Cc}\[39m .* \p{Cc}\[33mROUTE_NOT_FOUND\p{Cc}\[39m\n/u)
})

describe('--fail-on', () => {
  it('ends the server with 1, and a line for each violation and each marked operation', async () => {
    const { command, ready } = await startJson(['--quiet', '--fail-on', 'violation,deprecated'])
    for (const path of ['/nope', '/pets?limit=many', '/pets/1', '/pets', '/sandbox/a/petz'])
      await fetch(ready.url + path)
    const { code, stderr } = await stop(command)
    const messages = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).message)
    expect(code).toBe(1)
    expect(messages).toEqual([
      expect.stringMatching(/^GET \/petz was rejected with 404/),
      expect.stringMatching(/^getPet was used once, but is deprecated/),
      expect.stringMatching(/^GET \/nope was rejected with 404/),
      expect.stringMatching(/^GET \/pets was rejected with 400: query parameter limit/),
    ])
  })

  it('ends with 0 without one, and rejects what is unknown', async () => {
    const { command, ready } = await startJson(['--quiet', '--fail-on', 'violation'])
    await fetch(`${ready.url}/pets`)
    expect(await stop(command)).toMatchObject({ code: 0, stderr: '' })
    expectFailure(
      await runCommand(['--fail-on', 'violations']),
      2,
      '--fail-on must be one of deprecated,',
      '"violation"',
    )
  })
})
