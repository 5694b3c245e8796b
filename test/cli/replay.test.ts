import { existsSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { startServer } from '../../src/adapters/server/index.js'
import { createMock, createPetstore, defineService, type Petstore, type PetstoreOptions } from '../../src/index.js'
import { parseJson, stringifyJson } from '../../src/lib/json.js'
import { replay } from '../../src/tools/replay/replay.js'
import { makeFolder, writeIn } from '../support/certificates.js'
import { endCommands, runCommand, startCommand, stop, urlPrintedBy } from '../support/command.js'
import { expectFailure } from '../support/expect-failure.js'
import { collection, GONE, INTEGER, object, TEXT, toDocument } from '../support/small-documents.js'
import { stubService } from '../support/stub-service.js'

afterEach(endCommands)

const URL = 'http://127.0.0.1:4010'
const NEW_ORDER = JSON.stringify({ petId: 1, quantity: 1, complete: true })
const JSON_BODY = { 'content-type': 'application/json' }

/** A run with a fault, an override, changes of clock and data, and five requests. */
async function recordRun(options: PetstoreOptions = {}): Promise<Petstore> {
  const petstore = createPetstore(options)
  await petstore.ready
  petstore.faults.add({ operation: 'getPet', status: 503, times: 1 })
  await petstore.fetch('/pets/1', { headers: { authorization: 'Bearer secret' } })
  await petstore.fetch('/pets/1')
  petstore.clock.freeze()
  petstore.clock.set('2030-01-01T00:00:00Z')
  await petstore.fetch('/store/orders', { method: 'POST', headers: JSON_BODY, body: NEW_ORDER })
  petstore.data.pets.update(1, { name: 'Renamed', stock: 2 })
  petstore.override('listCategories', { status: 200, body: [] })
  await petstore.fetch('/categories')
  await petstore.fetch('/pets/1')
  return petstore
}

/** Writes what a mock has recorded to a file. */
function save(petstore: Pick<Petstore, 'reproduction'>, change = (text: string) => text): string {
  return writeIn(makeFolder(), 'run.petstore.json', change(stringifyJson(petstore.reproduction()) as string))
}

const saveRun = async (change?: (text: string) => string) => save(await recordRun(), change)

async function saveRequests(
  paths: readonly string[],
  options: PetstoreOptions = {},
  change?: (text: string) => string,
) {
  const petstore = createPetstore(options)
  for (const path of paths) await petstore.fetch(path)
  return save(petstore, change)
}

describe('replay', () => {
  it('says that all responses are the same', async () => {
    const file = await saveRun()
    expect(readFileSync(file, 'utf8')).not.toContain('secret')
    const { code, stdout, stderr } = await runCommand(['replay', file])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`petstore-mock replay ${file}\n\n5 same, 0 different, 0 skipped\n`)
  })

  it('starts from fixtures, and from the data after reset({ seed })', async () => {
    const fixtures = { categories: [{ id: '9007199254740993', name: 'Dogs' }] }
    const file = await saveRequests(['/categories'], { fixtures, rules: 'off' })
    expect(await runCommand(['replay', file])).toMatchObject({ code: 0 })

    const other = createPetstore({ pets: 3 })
    await other.ready
    await other.reset({ seed: 5, scenario: 'busy' })
    await other.fetch('/pets')
    expect(await runCommand(['replay', save(other)])).toMatchObject({ code: 0 })
  })

  it('shows the first difference like a diff', async () => {
    const file = await saveRun((text) => text.replace('\\"quantity\\":1,\\"shipDate', '\\"quantity\\":7,\\"shipDate'))
    const { code, stdout } = await runCommand(['replay', file])
    expect(code).toBe(1)
    expect(stdout).toBe(
      [
        `petstore-mock replay ${file}`,
        '',
        `Request 3 of 5: POST /store/orders ${NEW_ORDER}`,
        '  body /quantity',
        '  - 7',
        '  + 1',
        '  (- recorded, + now)',
        '',
        '4 same, 1 different, 0 skipped',
        '',
      ].join('\n'),
    )
  })

  it('shows the consequences of a changed starting record', async () => {
    const options = { fixtures: { categories: [{ id: 5, name: 'Birds' }] } }
    const toCats = (text: string) => text.replace('"name":"Birds"', '"name":"Cats"')
    const file = await saveRequests(['/categories/5', '/pets', '/categories'], options, toCats)
    const { stdout } = await runCommand(['replay', file])
    expect(stdout).toContain('Request 1 of 3: GET /categories/5\n  body /name\n  - "Birds"\n  + "Cats"\n')
    expect(stdout).toContain('1 later request differs, too: 3.')
    expect(stdout).toMatch(/1 same, 2 different, 0 skipped\n$/)
  })

  it('writes JSON and JUnit', async () => {
    const file = await saveRun((text) => text.replace('"status":201', '"status":200'))
    const json = await runCommand(['replay', file, '--format', 'json'])
    expect(json.code).toBe(1)
    const report = JSON.parse(json.stdout)
    expect(report).toMatchObject({ file, same: 4, different: 1, skipped: 0, missing: 0 })
    expect(report.requests[2]).toMatchObject({
      number: 3,
      outcome: 'different',
      differences: [{ aspect: 'status', expected: '200', received: '201' }],
    })
    const junit = await runCommand(['replay', file, '--format', 'junit'])
    expect(junit.stdout).toContain('tests="5" failures="1" errors="0" skipped="0"')
    expect(junit.stdout).toContain('message="status: expected 200, received 201"')
  })

  it('uses the recorded responses of functions, and says so', async () => {
    const petstore = createPetstore()
    petstore.override('getPet', ({ params }) => ({
      status: 200,
      body: { id: params.petId, name: 'From a function', categoryId: 1, status: 'sold' as const },
    }))
    await petstore.fetch('/pets/1')
    await petstore.fetch('/pets')
    const file = save(petstore)
    const { code, stdout } = await runCommand(['replay', file])
    expect(code).toBe(0)
    expect(stdout).toContain('1 request skipped: a function made its response.\n1 same, 0 different, 1 skipped\n')
  })
})

describe('replay --until', () => {
  it('serves from before a request, in the same state, with the same clock and faults', async () => {
    const petstore = createPetstore()
    const sandbox = petstore.sandboxes.open('checkout')
    sandbox.clock.freeze()
    sandbox.clock.set('2030-01-01T00:00:00Z')
    await sandbox.fetch('/store/orders', { method: 'POST', headers: JSON_BODY, body: NEW_ORDER })
    sandbox.faults.add({ operation: 'getPet', status: 503, times: 1 })
    const before = { state: sandbox.exportState(), clock: sandbox.clock.state() }
    await sandbox.fetch('/pets/1')
    await sandbox.fetch('/pets/1', { method: 'DELETE' })
    const file = save(sandbox)

    const command = startCommand(['replay', file, '--until', '2', '--port', '0'])
    const url = await urlPrintedBy(command)
    expect((await command.complained(/Repeated .*\n/))[0]).toBe(
      `Repeated 1 request of ${file} in the sandbox checkout.\n`,
    )
    const get = async (path: string) => fetch(`${url}/sandbox/checkout${path}`)
    expect(parseJson(await (await get('/__admin/state')).text())).toEqual(before.state)
    expect(await (await get('/__admin/clock')).json()).toEqual(before.clock)
    expect((await get('/pets/1')).status).toBe(503)
    expect((await get('/pets/1')).status).toBe(200)
    expect((await stop(command)).code).toBe(0)
  })
})

it('says with --until that the state may differ from the recorded one', async () => {
  const rename = (text: string) => text.replace('Chirpy', 'Tweety')
  const file = await saveRequests(['/categories', '/pets/1', '/pets'], { journalSize: 2 }, rename)
  const command = startCommand(['replay', file, '--until', '2', '--port', '0'])
  await command.printed(/API/)
  expect((await stop(command)).stderr).toBe(
    `petstore-mock: Repeated 1 request of ${file}. Missing at the start of the recording: 1 step. Differences from the recording: 1. The state may differ, too.\n`,
  )
})

describe('an error of replay --until', () => {
  it('does not name the file if it is about the address', async () => {
    const file = await saveRun()
    await using server = await startServer({ port: 0 })
    const inUse = await runCommand(['replay', file, '--until', '2', '--port', String(server.port)])
    expectFailure(inUse, 'already running there. Use --port or --host to listen elsewhere.')
    expect(inUse.stderr).not.toContain(file)
    const host = await runCommand(['replay', file, '--until', '2', '--host', 'a..b'])
    expectFailure(host, /^petstore-mock: Cannot listen on a\.\.b/)
  })

  it.each<[string, (text: string) => string, RegExp]>([
    ['an option of a server', (text) => text.replace('"options":{', '"options":{"host":"::"'), /Unknown option "host"/],
    ['the starting data', (text) => text.replace('"start":{', '"start":{"state":{"pets":5},'), /\/pets/],
  ])('names the file if it is about %s', async (_name, change, message) => {
    const file = await saveRun(change)
    const outcome = await runCommand(['replay', file, '--until', '2', '--port', '0'])
    expectFailure(outcome, message)
    expect(outcome.stderr).toContain(`petstore-mock: ${file}: `)
  })
})

describe('replay of requests with credentials', () => {
  const SCHEMES = {
    key: { type: 'apiKey', in: 'header', name: 'X-Toy-Key' },
    cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
    query: { type: 'apiKey', in: 'query', name: 'api_key' },
    basic: { type: 'http', scheme: 'basic' },
    bearer: { type: 'oauth2', flows: {} },
  }
  const authorization = (value: string) => ({ headers: { authorization: value } })

  /** Sends requests to a mock that requires credentials, and writes document and recording. */
  async function recordToys(security: object, requests: readonly (readonly [path: string, init?: RequestInit])[]) {
    const document = {
      ...toDocument(collection('toys', { record: object({ id: INTEGER, name: TEXT }), errors: { 401: GONE } })),
      components: { securitySchemes: SCHEMES },
      security,
    }
    const mock = createMock(defineService({ document }), { security: 'require' })
    await mock.ready
    const statuses: number[] = []
    for (const [path, init] of requests) statuses.push((await mock.fetch(path, init)).status)
    const folder = makeFolder()
    const file = writeIn(folder, 'run.json', JSON.stringify(mock.reproduction()))
    const args = ['replay', file, '--document', writeIn(folder, 'toys.json', JSON.stringify(document))]
    return { statuses, args }
  }

  it.each<[object, string, RequestInit]>([
    [[{ key: [] }], '/toys', { headers: { 'X-Toy-Key': 's3cret' } }],
    [[{ query: [] }], '/toys?api_key=s3cret', {}],
    [[{ basic: [] }, { bearer: [] }], '/toys', authorization(`Basic ${btoa('ada:s3cret')}`)],
    [[{ key: [] }, { bearer: [] }], '/toys', authorization('Bearer s3cret')],
    [[{ key: [], cookie: [] }], '/toys', { headers: { 'X-Toy-Key': 's3cret', Cookie: 'a=b; session=s3cret' } }],
  ])('fills in what %j requires', async (security, path, init) => {
    const { statuses, args } = await recordToys(security, [[path, init], ['/toys']])
    expect(statuses).toEqual([200, 401])
    const { code, stdout } = await runCommand(args)
    expect(stdout).toMatch(/\n2 same, 0 different, 0 skipped\n$/)
    expect(code).toBe(0)
    const served = startCommand([...args, '--until', '3', '--port', '0'])
    const [line] = await served.complained(/Repeated 2 requests .*/)
    expect(line).not.toContain('Differences')
  })

  it('repeats the rejection of credentials of another form', async () => {
    const { statuses, args } = await recordToys([{ bearer: [] }], [['/toys', authorization('s3cret')]])
    expect(statuses).toEqual([401])
    expect(await runCommand(args)).toMatchObject({ code: 0 })
  })

  it('sends the headers of --header', async () => {
    const { args } = await recordToys([{ bearer: [] }], [['/toys']])
    const { stdout } = await runCommand([...args, '--header', 'Authorization: Bearer x'])
    expect(stdout).toContain('status\n  - 401\n  + 200\n')
  })
})

describe('replay --against', () => {
  it('sends only requests that read', async () => {
    const file = await saveRun()
    const { requests } = stubService()
    const { code, stdout } = await runCommand(['replay', file, '--against', URL, '--header', 'Authorization: Bearer x'])
    expect(requests.map(({ method }) => method)).not.toContain('POST')
    expect(requests.every(({ headers }) => headers.get('authorization') === 'Bearer x')).toBe(true)
    expect(code).toBe(1)
    expect(stdout).toContain(`petstore-mock replay ${file} --against ${URL}\n`)
    // The data of the run was changed between the requests.
    expect(stdout).toContain('Request 5 of 5: GET /pets/1\n  body /name\n  - "Renamed"\n  + "Chirpy"\n')
    expect(stdout).toContain('1 request skipped: a fault made its response.\n')
    expect(stdout).toContain('1 request skipped: writes to the service. To send such requests, add --allow-writes.\n')
    expect(stdout).toContain('1 request skipped: an override made its response.\n')
    expect(stdout).toMatch(/1 same, 1 different, 3 skipped\n$/)
  })

  it('sends requests that write if it is told to', async () => {
    const file = await saveRun()
    const { petstore, requests } = stubService()
    petstore.clock.freeze()
    petstore.clock.set('2030-01-01T00:00:00Z')
    const { stdout } = await runCommand(['replay', file, '--against', URL, '--allow-writes'])
    expect(requests.map(({ method }) => method)).toContain('POST')
    expect(stdout).toMatch(/2 same, 1 different, 2 skipped\n$/)
  })

  it('sends the headers of --header instead of recorded ones', async () => {
    const petstore = createPetstore()
    await petstore.fetch('/pets/1', { headers: { 'x-tenant': 'prod', 'x-other': 'a', 'x-forwarded-prefix': '/api' } })
    const file = save(petstore)
    const { requests } = stubService()
    await runCommand(['replay', file, '--against', URL, '--header', 'X-Tenant: test'])
    const { headers } = requests.at(-1) as Request
    expect(Object.fromEntries(headers)).toMatchObject({ 'x-tenant': 'test', 'x-other': 'a' })
    expect(headers.has('x-forwarded-prefix')).toBe(false)
  })

  it.each(['', '/sandbox/other'])('compares addresses below another base address: %j', async (base) => {
    await using server = await startServer({ port: 0 })
    const recorded = `${server.url}/sandbox/checkout`
    const pet = JSON.stringify({ name: 'Rex', categoryId: 1 })
    await fetch(`${recorded}/pets`, { method: 'POST', headers: JSON_BODY, body: pet })
    for (const path of ['/pets?limit=2&status=available', '/store/inventory']) await fetch(recorded + path)
    const text = await (await fetch(`${recorded}/__admin/reproduction`)).text()
    expect(text).toContain('"location":"/sandbox/checkout/pets/')
    expect(text).toContain('</sandbox/checkout/pets?')
    const replay = (name: string, content: string) => {
      const file = writeIn(makeFolder(), name, content)
      return runCommand(['replay', file, '--against', server.url + base, '--allow-writes'])
    }
    expect((await replay('a.json', text)).stdout).toMatch(/\n3 same, 0 different, 0 skipped\n$/)
    const wrong = text.replace('"location":"/sandbox/checkout/pets/', '"location":"/sandbox/checkout/dogs/')
    expect((await replay('b.json', wrong)).stdout).toContain(`header location\n  - /sandbox/checkout/dogs/`)
  })

  it('compares what headers mean, as verify does', async () => {
    const petstore = createPetstore()
    await petstore.fetch('/pets?limit=2&sort=-name')
    await petstore.fetch('/pets/1')
    await petstore.fetch('/pets', { method: 'OPTIONS' })
    const file = save(petstore)
    const changed: Record<string, (value: string) => string> = {
      'content-type': (value) => `${value}; charset=utf-8`,
      link: (value) =>
        value.replaceAll(/<[^>]*\/docs/g, '<https://docs.example').replaceAll(/\?(limit=\d+)&([^>]*)>/g, '?$2&$1>'),
      allow: (value) => value.split(', ').reverse().join(', '),
    }
    const seen = new Set<string>()
    stubService({}, (fetch) => async (url, init) => {
      const response = await fetch(url, init)
      for (const [name, change] of Object.entries(changed)) {
        const value = response.headers.get(name)
        if (value === null || change(value) === value) continue
        response.headers.set(name, change(value))
        seen.add(name)
      }
      return response
    })
    const { stdout } = await runCommand(['replay', file, '--against', URL])
    expect([...seen].sort()).toEqual(Object.keys(changed).sort())
    expect(stdout).toMatch(/3 same, 0 different, 0 skipped\n$/)
  })

  it('skips requests that fetch cannot send, and sends those after them', async () => {
    const petstore = createPetstore()
    const request = { method: 'GET', query: '', base: '', headers: {} }
    const body = new TextEncoder().encode('{}')
    for (const path of ['/pets', '/pets/1', '/pets/2']) await petstore.handle({ ...request, path, body })
    await petstore.handle({ ...request, path: '/pets/../pets' })
    await petstore.handle({ ...request, path: '/pets', query: `name=O'Brien` })
    const file = save(petstore)
    stubService()
    const { code, stdout } = await runCommand(['replay', file, '--against', URL])
    expect(code).toBe(0)
    expect(stdout).toContain('4 requests skipped: fetch cannot send it.\n1 same, 0 different, 4 skipped\n')
  })
})

describe('a file of somebody else', () => {
  it('cannot block the process with a regular expression', async () => {
    const petstore = createPetstore()
    const match = { headers: { 'x-text': /^b/ } }
    petstore.faults.add({ match })
    petstore.override('listPets', { status: 200, body: [] }, { match })
    petstore.override('listPets', () => ({ status: 200, body: [] }), { match })
    const headers = { 'x-text': `${'a'.repeat(5000)}b` }
    await petstore.fetch('/pets', { headers })
    const file = save(petstore, (text) => text.replaceAll('"^b"', '"^(a+)+$"'))
    expect(await runCommand(['replay', file])).toMatchObject({ code: 0, stdout: expect.stringContaining('1 same') })
  })

  it('can be stopped between two requests, however many it has', async () => {
    const petstore = createPetstore()
    await petstore.fetch('/pets')
    const reproduction = petstore.reproduction()
    const steps = Array.from({ length: 20_000 }, () => reproduction.steps[0] as never)
    const controller = new AbortController()
    setImmediate(() => controller.abort())
    const report = await replay(createPetstore(), { ...reproduction, steps }, controller)
    expect(report).toMatchObject({ different: 0 })
    expect(report.skipped).toBeGreaterThan(0)
  })
})

describe('a file that cannot be replayed', () => {
  const deep = `{"version":1,"petstoreMock":"0.1.0","options":${'['.repeat(100_000)}${']'.repeat(100_000)}}`

  it.each<[string, (text: string) => string, RegExp]>([
    ['truncated', (text) => text.slice(0, 700), /Invalid JSON at line 1, column \d+/],
    ['a fixture', () => '{"pets":[]}', /Not a reproduction of petstore-mock\./],
    ['of another version', (text) => text.replace('"version":1', '"version":2'), /Written in version 2 of the format/],
    ['of another document', (text) => text.replace(/"specHash":"\w+"/, '"specHash":"f"'), /another OpenAPI document/],
    ['deep', () => deep, /another OpenAPI document|Nested too deeply/],
    ['without steps', (text) => text.replace('"steps"', '"stepz"'), /Not a valid reproduction: /],
    ['with a path to another host', (text) => text.replace('"path":"/pets/1"', '"path":"@evil.test/"'), /\/path/],
    ['with a hostile sandbox', (text) => text.replace('"options"', '"sandbox":"../x","options"'), /\/sandbox/],
    ['with a control outside the admin API', (text) => text.replace('/__admin/faults', '/pets'), /\/control\/path/],
    ['with an invalid time', (text) => text.replace(/"at":"[^"]+"/, '"at":"yesterday"'), /\/at|clock\.set/],
  ])('is reported in one line: %s', async (_name, change, message) => {
    const file = await saveRun(change)
    expectFailure(await runCommand(['replay', file]), message)
  })

  it('may be missing, a folder, or larger than 90 MiB', async () => {
    const folder = makeFolder()
    expectFailure(await runCommand(['replay', join(folder, 'no.json')]), 'File not found.')
    expectFailure(await runCommand(['replay', folder]), 'Expected a file, found a folder.')
    const large = writeIn(folder, 'large.json', '{}')
    truncateSync(large, 100_000_000)
    expectFailure(await runCommand(['replay', large]), 'File exceeds 90 MiB.')
  })
})

it('reads files that are larger than a fixture file may be', async () => {
  const text = `{"version":2,"petstoreMock":"${'x'.repeat(64 * 1024 * 1024)}"}`
  expectFailure(await runCommand(['replay', writeIn(makeFolder(), 'a.json', text)]), 'Written in version 2')
})

describe('--record', () => {
  it('writes a reproduction when the server stops, and replaces no file without --force', async () => {
    const file = join(makeFolder(), 'run.petstore.json')
    const command = startCommand(['--port', '0', '--record', file])
    const url = await urlPrintedBy(command)
    await (await fetch(`${url}/pets/1`)).text()
    await (await fetch(`${url}/sandbox/other/pets/1`)).text()
    expect(existsSync(file)).toBe(false)
    const { code, stderr } = await stop(command)
    expect(code).toBe(0)
    expect(stderr).toBe(
      `petstore-mock: Wrote 1 request to ${file}. 1 sandbox not included: get /__admin/reproduction of each.\n`,
    )
    expect(await runCommand(['replay', file])).toMatchObject({ code: 0 })
    const text = readFileSync(file, 'utf8')
    expectFailure(await runCommand(['--port', '0', '--record', file]), 'File exists. To replace it, add --force.')
    expect(readFileSync(file, 'utf8')).toBe(text)
    const again = startCommand(['--port', '0', '--record', file, '--force'])
    await again.printed(/API/)
    expect((await stop(again)).code).toBe(0)
    expect(readFileSync(file, 'utf8')).not.toBe(text)
  })

  it('writes another file if the file was created since the start', async () => {
    const folder = makeFolder()
    const file = join(folder, 'run.petstore.json')
    const command = startCommand(['--port', '0', '--record', file])
    await command.printed(/API/)
    writeIn(folder, 'run.petstore.json', 'mine')
    command.kill('SIGTERM')
    const other = join(folder, 'run.petstore-2.json')
    expect(await command.ended()).toMatchObject({
      code: 0,
      stderr: `petstore-mock: Wrote 0 requests to ${other}, because ${file} exists now.\n`,
    })
    expect(readFileSync(file, 'utf8')).toBe('mine')
    expect(await runCommand(['replay', other])).toMatchObject({ code: 0 })
  })
})

it.each<[string[], string]>([
  [['replay'], 'replay requires a reproduction file, for example: petstore-mock replay checkout.petstore.json.'],
  [['replay', 'a.json', '--until', '2', '--against', URL], '--until cannot be combined with --against.'],
  [['replay', 'a.json', '--allow-writes'], '--allow-writes requires --against.'],
  [['replay', 'a.json', '--ca', 'ca.pem'], '--ca requires --against.'],
  [['replay', 'a.json', '--requests', '1'], '--requests requires --as.'],
  [['replay', 'a.json', '-p', '0'], '-p requires --until.'],
  [['replay', 'a.json', '--with-delays', '--against', URL], '--with-delays cannot be combined with --against.'],
  [['replay', 'a.json', '--format', 'json', '--as', 'curl'], '--format cannot be combined with --as.'],
  [['replay', 'a.json', '--as', 'curl', '--against', URL, '--ca', 'b'], '--ca cannot be combined with --as.'],
  [['replay', 'a.json', '--as', 'jest'], '--as must be vitest or playwright'],
  [['replay', 'a.json', '--against', 'x'], '--against must be a URL such as http://127.0.0.1:4010'],
  [['--force'], '--force requires --record.'],
])('rejects %j', async (args, message) => {
  const { code, stderr } = await runCommand(args)
  expect(code).toBe(2)
  expect(stderr).toContain(message)
})
