import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/adapters/server/index.js'
import { createMock, createPetstore, type Petstore } from '../../src/index.js'
import { stringifyJson } from '../../src/lib/json.js'
import { makeFolder, writeIn } from '../support/certificates.js'
import { runCommand } from '../support/command.js'
import { expectFailure } from '../support/expect-failure.js'
import { document } from '../support/library-document.js'
import { hasPrograms } from '../support/programs.js'

const JSON_BODY = { 'content-type': 'application/json' }
const HARD_TEXT = `it's "quoted" \\ \n $(id) \`id\` \u2028 é`

/** Four requests that are hard to quote, and two with a fault. */
async function recordRun(): Promise<Petstore> {
  const petstore = createPetstore()
  await petstore.ready
  const post = (body: BodyInit, headers: Record<string, string> = JSON_BODY) =>
    petstore.fetch('/pets?note=a%26b', { method: 'POST', headers, body })
  await post(JSON.stringify({ name: HARD_TEXT, categoryId: 1 }), {
    ...JSON_BODY,
    'x-empty': '',
    // The bytes of UTF-8, as HTTP has them.
    'x-name': Buffer.from('José É').toString('latin1'),
    authorization: 'Bearer x',
  })
  await post('{"name": "Big", "categoryId": 9007199254740993}')
  await post(Uint8Array.of(0xff, 0x00, 0x27))
  await post(new TextEncoder().encode('no type \u0000 \u001b[31m'), {})
  petstore.faults.add({ operation: 'getPet', status: 418, times: 1 })
  await petstore.fetch('/pets/1')
  await petstore.fetch('/pets/1')
  return petstore
}

function save(petstore: Pick<Petstore, 'reproduction'>): string {
  return writeIn(makeFolder(), 'run.petstore.json', stringifyJson(petstore.reproduction()) as string)
}

/** What reached a mock. */
function requestsOf(petstore: Petstore) {
  return petstore.reproduction().steps.flatMap((step) => {
    if (!('request' in step)) return []
    const { method, path, query, body, isBase64, headers } = step.request
    return [{ method, path, query, body, isBase64, type: headers['content-type'], name: headers['x-name'] }]
  })
}

async function start() {
  const server = await startServer({ port: 0 })
  onTestFinished(() => server.close())
  return server
}

async function print(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(['replay', ...args])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

it.skipIf(!hasPrograms(['sh', 'curl', 'base64'], 'CI_CURL'))('prints commands that curl sends', async () => {
  const petstore = await recordRun()
  const server = await start()
  const commands = await print(save(petstore), '--as', 'curl', '--against', server.url)
  expect(commands).toContain('# The header authorization is a secret. Add it yourself.\n')
  await promisify(execFile)('sh', ['-ec', commands])
  expect(requestsOf(server.petstore)).toEqual(requestsOf(petstore))
})

it('prints code that fetch sends', async () => {
  const petstore = await recordRun()
  const server = await start()
  const code = await print(save(petstore), '--as', 'fetch', '--against', server.url)
  await new Function(`return (async () => {${code}})()`)()
  expect(requestsOf(server.petstore)).toEqual(requestsOf(petstore))
})

it('prints overrides that return the recorded responses, in order', async () => {
  const recorded = await recordRun()
  const other = createPetstore()
  const code = await print(save(recorded), '--as', 'override', '--requests', '5-6')
  new Function('petstore', code)(other)
  const statuses = []
  for (let index = 0; index < 3; index += 1) statuses.push((await other.fetch('/pets/7')).status)
  expect(statuses).toEqual([418, 200, 200])
  expect(await (await other.fetch('/pets/7')).json()).toMatchObject({ id: 1, name: 'Chirpy' })
})

it('prints a test of one request, with what came before it', async () => {
  const file = save(await recordRun())
  const code = await print(file, '--as', 'vitest', '--requests', '5')
  expect(code).toMatch(/^import .* from 'petstore-mock\/vitest'\n/)
  expect(code).toContain(`test('GET /pets/1 returns 418', `)
  expect(code).toContain(`petstore.faults.add({ operation: 'getPet', status: 418, times: 1 })`)
  expect(code).toContain(`body: JSON.stringify({ name: '${'it\\\'s "quoted"'}`)
  expect(code.match(/expect\(/g)).toHaveLength(2)
  const playwright = await print(file, '--as', 'playwright', '--requests', '5')
  expect(playwright).toContain(`await petstore.reset({ seed: 1, scenario: 'default' })`)
})

it('names the file of another service by its path from the working directory', async () => {
  const mock = createMock({ document })
  await mock.ready
  await mock.fetch('/books')
  const folder = makeFolder()
  const library = writeIn(folder, `the librarian's.json`, JSON.stringify(document))
  const printIn = async (cwd: string, flag: string, as: string) =>
    (await runCommand(['replay', save(mock), flag, library, '--as', as], {}, cwd)).stdout
  const loaded = await printIn(folder, '--document', 'vitest')
  expect(loaded).toContain(
    `\nconst test = createTest({ mock: { document: './the librarian\\'s.json', ...options } })\n`,
  )
  expect(await printIn(join(folder, 'tests'), '--service', 'playwright')).toContain(
    `createTest({ mock: { document: '../the librarian\\'s.json' } })`,
  )
  expect(await printIn(folder, '--document', 'override')).toMatch(/^mock\.override\('listBooks', /)
})

it('writes the address of the default port and of the sandbox', async () => {
  const sandbox = createPetstore().sandboxes.open('checkout')
  await sandbox.fetch('/pets/1', { headers: { 'x-petstore-sandbox': 'checkout' } })
  expect(await print(save(sandbox), '--as', 'fetch')).toBe(
    `const response = await fetch('http://127.0.0.1:4010/sandbox/checkout/pets/1')\n`,
  )
})

it('leaves out, with the reason, what cannot be repeated', async () => {
  const petstore = createPetstore()
  await petstore.fetch('/pets', { method: 'POST', headers: JSON_BODY, body: `"${'a'.repeat(70_000)}"` })
  const request = { method: 'GET', query: '', base: '', headers: {}, body: new TextEncoder().encode('{}') }
  await petstore.handle({ ...request, path: '/pets/../pets' })
  await petstore.handle({ ...request, path: '/pets' })
  await petstore.handle({ ...request, path: '/pets/1', method: 'HEAD' })
  const file = save(petstore)
  const reasons = ['POST /pets is left out, because its body was too long to record.']
  const refused = ['GET /pets/../pets', 'GET /pets'].map((each) => `${each} is left out, because fetch cannot send it.`)
  const commands = await print(file, '--as', 'curl')
  expect(commands).toContain(`# ${reasons[0]}\n`)
  expect(commands).toContain('# HEAD /pets/1 is left out, because curl cannot send it.\n')
  for (const as of ['fetch', 'vitest']) {
    const code = await print(file, '--as', as)
    for (const reason of [...reasons, ...refused]) expect(code).toContain(`// ${reason}\n`)
  }
})

it('prints nothing of a hostile file that could run or reach the terminal', async () => {
  const petstore = createPetstore()
  await petstore.fetch('/pets/1')
  const { steps, ...reproduction } = petstore.reproduction()
  const evil = `\nthrow new Error('run') //\u2028\u001b[2J'; exit 1; '`
  const step = {
    ...steps[0],
    operation: `x${evil}`,
    request: {
      method: 'GET',
      path: `/${evil}`,
      headers: { [`a${evil}`]: '(hidden)', b: evil },
      body: evil,
    },
  }
  const control = {
    at: steps[0]?.at,
    control: { method: 'POST', path: `/__admin/data/pets${evil}`, body: { [evil]: evil } },
  }
  const text = JSON.stringify({ ...reproduction, steps: [control, step] })
  const file = writeIn(makeFolder(), 'a.json', text)
  for (const as of ['curl', 'fetch', 'override', 'vitest', 'playwright']) {
    const code = await print(file, '--as', as)
    expect(code, as).not.toMatch(/[^\P{Cc}\n]|\u2028/u)
    expect(code, as).not.toMatch(/^\s*throw|^; exit/m)
  }
})

it('rejects a file with a method, a body or options that no mock has recorded', async () => {
  const petstore = createPetstore()
  await petstore.fetch('/pets/1')
  const reproduction = petstore.reproduction()
  const [step] = reproduction.steps
  const request = { method: 'GET', path: '/pets/1', headers: {} }
  const withStep = (changed: object) => ({ ...reproduction, steps: [{ ...step, ...changed }] })
  const withControl = (control: object) => ({ ...reproduction, steps: [{ id: 1, at: step?.at, control }] })
  const withOptions = (options: object) => ({ ...reproduction, options })
  const cases: [object, string][] = [
    [withStep({ request: { ...request, method: 'GET\u001b[2J' } }), '/steps/0/request/method must be a method of HTTP'],
    [
      withStep({ request: { ...request, body: 'QUJD\u001b[2J', isBase64: true } }),
      '/steps/0/request/body must be Base64.',
    ],
    [
      withStep({ response: { status: 200, headers: {}, body: `'); throw 1 //`, isBase64: true } }),
      '/steps/0/response/body must be Base64.',
    ],
    ...[5, [null], [{ sequence: 5 }]].map((sequence): [object, string] => [
      withControl({ method: 'POST', path: '/__admin/faults', body: { sequence } }),
      '/steps/0/control/body/sequence must be a list of objects and "pass".',
    ]),
    [withOptions({ host: '0.0.0.0' }), 'Unknown option "host".'],
    [withOptions({ cors: true }), 'Unknown option "cors".'],
    [withOptions({ strict: 'no' }), '"strict" must be'],
  ]
  for (const [file, message] of cases) {
    const path = writeIn(makeFolder(), 'a.json', JSON.stringify(file))
    for (const as of ['curl', 'fetch', 'override', 'vitest', 'playwright']) {
      expectFailure(await runCommand(['replay', path, '--as', as]), message)
    }
  }
})

it('rejects a range that is invalid, or of requests that were not recorded', async () => {
  const reject = async (file: string, args: readonly string[], expected: number, message: string) => {
    const { code, stderr } = await runCommand(['replay', file, '--as', 'curl', ...args])
    expect({ code, stderr }).toEqual({ code: expected, stderr: expect.stringContaining(message) })
  }
  for (const range of ['0', '7-3', 'x', '1-']) await reject('a.json', ['--requests', range], 2, 'a range such as 3-7')
  const petstore = createPetstore()
  await reject(save(petstore), [], 1, 'No requests were recorded.')
  await petstore.fetch('/pets')
  await reject(save(petstore), ['--requests', '2-3'], 1, 'There is no request 2: 1 request recorded.')
})
