import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { helpOf, helpText } from '../../src/cli/help.js'
import { createPetstore } from '../../src/index.js'
import { endCommands, type Outcome, runCommand, startCommand } from '../support/command.js'
import { openConnection, toHttpText } from '../support/raw-connection.js'

vi.setConfig({ testTimeout: 120_000 })
afterEach(endCommands)

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}
const PET = JSON.stringify({ name: 'Bo', categoryId: 1 })
const NEW_PET = { method: 'POST', body: PET, headers: { 'content-type': 'application/json' } }

/** The line that a machine reads the address from. */
const READY = /^(\{"event":"ready".*\})\n/
/** The line that a human reads it from. */
const ADDRESS = /^ +API +(http:\S+)$/m

async function startJson(args: readonly string[], variables?: Record<string, string>) {
  const command = startCommand(['--port', '0', '--log-format', 'json', ...args], variables)
  const [, line = ''] = await command.printed(READY)
  return { command, ready: JSON.parse(line) as Record<string, unknown> & { url: string; port: number } }
}

/** Nothing on standard output, one line on the other that names what was wrong, and no trace of the code. */
function expectComplaint({ code, stdout, stderr }: Outcome, expectedCode: number, ...mentioning: string[]): void {
  expect({ code, stdout }).toStrictEqual({ code: expectedCode, stdout: '' })
  expect(stderr).toMatch(/^petstore-mock: [^\n]+\n$/)
  for (const part of mentioning) expect(stderr).toContain(part)
  expect(stderr).not.toMatch(/\bat .+:\d+|node_modules|file:\/\/|\.[cm]?[jt]s\b/)
}

it('prints help, for all and for each command, and its version', async () => {
  const [help, serve, verify, short] = await Promise.all([
    runCommand(['--help']),
    runCommand(['serve', '--help']),
    runCommand(['verify', '-h']),
    runCommand(['-v']),
  ])
  expect(help).toMatchObject({ code: 0, stderr: '', stdout: helpText() })
  expect(serve).toMatchObject({ code: 0, stderr: '', stdout: helpOf('serve') })
  expect(verify).toMatchObject({ code: 0, stderr: '', stdout: helpOf('verify') })
  expect(short).toMatchObject({ code: 0, stderr: '', stdout: `${version}\n` })
})

it('H9 H10 refuses what it does not understand in one line that names it', async () => {
  // What else is refused, and how it is said, is for the fast tests of the command line's reader.
  const refused: readonly (readonly [args: string[], variables: Record<string, string>, ...mentioning: string[]])[] = [
    [['verify', 'localhost:4010'], {}, 'localhost:4010', 'http://'],
    [['--prot', '0'], {}, 'unknown flag --prot; did you mean --port?'],
    [['--port', '0', '--scenario', 'bussy'], {}, 'Unknown scenario "bussy". Did you mean "busy"?'],
    [['--max-json-depth', '1001'], {}, 'petstore-mock: --max-json-depth must be a whole number from 0 to 1000'],
    [[], { PETSTORE_MAX_JSON_DEPTH: '1001' }, 'petstore-mock: PETSTORE_MAX_JSON_DEPTH must be a whole number'],
    [['--seed'], {}, '--seed'],
    [['--port', '70000'], {}, '--port', '70000'],
    [['--port', 'abc'], {}, '--port', 'abc'],
    [['--port', '-1'], {}, '--port'],
    [[], { PETSTORE_PORT: 'abc' }, 'PETSTORE_PORT', 'abc'],
  ]
  // A few at a time: each is a process that loads everything.
  for (let from = 0; from < refused.length; from += 3) {
    await Promise.all(
      refused.slice(from, from + 3).map(async ([args, variables, ...mentioning]) => {
        expectComplaint(await runCommand(args, variables), 2, ...mentioning)
      }),
    )
  }
})

it('H11 H12 takes no contract file, missing or of any version: the document is built in', async () => {
  expectComplaint(await runCommand(['--spec', 'swagger-2.0.yaml']), 2, '--spec')
})

it('H8 fails in one line when the port is in use', async () => {
  const holder = createServer((socket) => socket.end('HTTP/1.1 400 No\r\n\r\n', () => socket.destroy()))
  await new Promise<void>((resolve) => void holder.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => void holder.close(() => resolve())))
  const { port } = holder.address() as { port: number }
  const outcome = await runCommand(['serve', '--port', String(port)])
  expectComplaint(outcome, 1, String(port), 'in use', '--port and --host say where to listen')
  expect(outcome.stderr).not.toContain('answers there already')
})

it('H8 says so where it is in its own way', async () => {
  const { ready } = await startJson(['--host', '[::1]', '--admin-token', 'secret'])
  expect(ready.url).toBe(`http://[::1]:${ready.port}`)
  const outcome = await runCommand(['--host', '::1', '--port', String(ready.port)])
  expectComplaint(outcome, 1, `petstore-mock ${version} answers there already`)
})

it('warns of a variable that is nearly one of its own, and goes on', async () => {
  const { command, ready } = await startJson(['--quiet'], { PETSTORE_SEDE: '7', PETSTORE_URL: 'http://a.test' })
  expect(ready.seed).toBe(1)
  command.kill('SIGTERM')
  const warning = 'petstore-mock: there is no variable PETSTORE_SEDE; did you mean PETSTORE_SEED?\n'
  expect(await command.ended()).toMatchObject({ code: 0, stderr: warning })
})

it('can be waited for: when its ready line is there, its health answers', async () => {
  const { ready } = await startJson(['--scenario', 'single', '--seed', '3'])
  const response = await fetch(`${ready.url}/__admin/health`)
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ status: 'ok', version, scenario: 'single', seed: 3 })
})

it('tells a human where it is and what it was asked, and ends well on SIGINT', async () => {
  const command = startCommand(['--port', '0'])
  const [, url] = await command.printed(ADDRESS)
  expect((await fetch(`${url}/pets?limit=1`)).status).toBe(200)
  expect((await fetch(`${url}/nope`)).status).toBe(404)
  await command.printed(/^GET +200 +listPets +\/pets\?limit=1 +[0-9.]+ ms$/m)
  await command.printed(/^GET +404 +- +\/nope +[0-9.]+ ms ROUTE_NOT_FOUND$/m)
  command.kill('SIGINT')
  const { stdout, ...end } = await command.ended()
  expect(end).toStrictEqual({ code: 0, signal: null, stderr: '' })
  expect(stdout.startsWith(`petstore-mock ${version} is ready`)).toBe(true)
  // Colours are for terminals, which a pipe is not.
  expect(stdout).not.toContain('\u001b')
})

it('tells a machine the same in JSON, and answers what is in flight before it ends on SIGTERM', async () => {
  const { command, ready } = await startJson([])
  const { url, port } = ready
  const where = { event: 'ready', url: `http://127.0.0.1:${port}`, host: '127.0.0.1', port: expect.any(Number) }
  expect(ready).toStrictEqual({ ...where, version, seed: 1, scenario: 'default' })
  expect((await fetch(`${url}/nope`)).status).toBe(404)

  const wire = await openConnection(port)
  const head = ['POST /pets HTTP/1.1', 'Host: localhost', 'Content-Type: application/json']
  wire.send(toHttpText([...head, `Content-Length: ${PET.length}`, 'Expect: 100-continue']))
  expect((await wire.response()).status).toBe(100)
  command.kill('SIGTERM')
  await command.printed(/"event":"stopping"/)
  wire.send(PET)
  const [answer] = await wire.rest()
  expect(answer).toMatchObject({ status: 201, body: { name: 'Bo' } })
  expect(answer?.headers.get('connection')).toBe('close')

  const { stdout, ...end } = await command.ended()
  expect(end).toStrictEqual({ code: 0, signal: null, stderr: '' })
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  expect(events.slice(1)).toStrictEqual([
    {
      event: 'request',
      method: 'GET',
      target: '/nope',
      status: 404,
      code: 'ROUTE_NOT_FOUND',
      durationMs: expect.any(Number),
    },
    { event: 'stopping' },
    {
      event: 'request',
      method: 'POST',
      target: '/pets',
      operation: 'createPet',
      status: 201,
      durationMs: expect.any(Number),
    },
  ])
})

it('prints only the ready line when it is told to be quiet', async () => {
  const { command, ready } = await startJson(['--quiet'])
  for (const path of ['/pets', '/nope']) await fetch(ready.url + path)
  command.kill('SIGTERM')
  expect(await command.ended()).toStrictEqual({
    code: 0,
    signal: null,
    stdout: `${JSON.stringify(ready)}\n`,
    stderr: '',
  })
})

it('goes on when nobody reads its output any more', async () => {
  const { command, ready } = await startJson([])
  command.closeOutput()
  for (let round = 0; round < 10; round++) expect((await fetch(`${ready.url}/pets`)).status).toBe(200)
  command.kill('SIGTERM')
  expect(await command.ended()).toMatchObject({ code: 0, signal: null, stderr: '' })
})

it('G15 makes the same world from the same seed in every process, and another from another', async () => {
  const started = await Promise.all([
    startJson(['--seed', '7']),
    startJson([], { PETSTORE_SEED: '7', TZ: 'Asia/Tokyo' }),
  ])
  const read = async (base: string, get = fetch): Promise<string> => (await get(`${base}/pets?limit=100`)).text()
  const [one, two] = await Promise.all(started.map(({ ready }) => read(ready.url)))
  const memory = (seed: number): Promise<string> => read('', createPetstore({ seed }).fetch as typeof fetch)
  expect(one).toBe(two)
  expect(one).toBe(await memory(7))
  expect(one).not.toBe(await memory(1))
})

it('obeys flags and the environment, and the flag where they disagree', async () => {
  const { ready } = await startJson(['--scenario', 'empty', '--rules', 'off', '--sunset', 'enforce'], {
    PETSTORE_PORT: '70',
    PETSTORE_SEED: '5',
    PETSTORE_RULES: 'on',
    PETSTORE_SCENARIO: 'default',
    PETSTORE_ADMIN_TOKEN: 'from-the-environment',
    PETSTORE_STRICT: 'true',
  })
  expect(ready).toMatchObject({ seed: 5, scenario: 'empty', adminToken: 'from-the-environment' })
  expect(await (await fetch(`${ready.url}/pets`)).json()).toStrictEqual([])
  expect((await fetch(`${ready.url}/pets`, NEW_PET)).status).toBe(201)
  expect((await fetch(`${ready.url}/pets?bogus=1`)).status).toBe(400)
  expect((await fetch(`${ready.url}/__admin/health`)).status).toBe(401)
})

it('prints what was exercised when it ends, where it is told to', async () => {
  const { command, ready } = await startJson(['--coverage', '--quiet'])
  await fetch(`${ready.url}/pets/1`)
  await fetch(`${ready.url}/sandbox/a/pets/0`)
  command.kill('SIGTERM')
  const { code, stdout } = await command.ended()
  const last = JSON.parse(stdout.trimEnd().split('\n').at(-1) as string)
  expect({ code, ...last }).toMatchObject({ code: 0, event: 'coverage', summary: { operations: { exercised: 1 } } })
  expect(last.operations.find(({ operation }: { operation: string }) => operation === 'getPet').count).toBe(2)
})

it('prints it as a table for people', async () => {
  const command = startCommand(['--port', '0', '--coverage'])
  const [, url] = await command.printed(ADDRESS)
  await fetch(`${url}/pets/1`)
  command.kill('SIGINT')
  const { stdout } = await command.ended()
  expect(stdout).toMatch(/^getPet +GET \/pets\/\{petId\} +1 +deprecated/m)
})
