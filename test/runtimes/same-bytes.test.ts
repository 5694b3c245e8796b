import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { installPacked } from '../support/installed.js'
import { type Launcher, launcherOf, NODE, RUNTIMES, runToEnd, serve } from '../support/runtimes.js'

const HOST = 'Host: localhost'
const JSON_TYPE = 'Content-Type: application/json'

function request(line: string, headers: readonly string[] = [], body = ''): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  return `${[`${line} HTTP/1.1`, HOST, ...headers, ...length].join('\r\n')}\r\n\r\n${body}`
}

/** Every method, success and error, other alphabets and the admin API. Nothing that has a time. */
const REQUESTS = [
  request('GET /pets'),
  request('GET /pets?limit=2&offset=1&sort=-name'),
  request('GET /pets/1'),
  request('HEAD /pets'),
  request('OPTIONS /pets'),
  request('GET /pets/999999'),
  request('GET /pets/%zz'),
  request('GET /pets', ['Accept: text/html']),
  request('GET /pets', ['Origin: http://localhost:3000']),
  request('GET /pets/1', ['Prefer: code=503']),
  request('POST /pets', [JSON_TYPE], '{"name":"Zoë 猫","categoryId":1}'),
  request('POST /pets', [JSON_TYPE], '{"name":'),
  request('POST /pets', ['Content-Type: text/plain'], '{}'),
  request('PUT /pets/1', [JSON_TYPE], '{"name":"Rex","categoryId":1,"status":"sold"}'),
  request('POST /store/orders', [JSON_TYPE], '{"petId":2,"quantity":1}'),
  request('PATCH /store/orders/1', [JSON_TYPE], '{"complete":true}'),
  request('DELETE /pets/73'),
  request('PATCH /pets'),
  request('GET /store/inventory'),
  request('GET /openapi.yaml'),
  request('GET /__admin/coverage'),
  request('GET /sandbox/other/pets/1'),
  request('GET /__admin/sandboxes/unknown'),
  request('POST /__admin/reset', [JSON_TYPE], '{"seed":7}'),
  request('GET /__admin/state'),
]

const PAGES = [
  '/__admin/',
  '/__admin/assets/dashboard.js',
  '/__admin/assets/yaml.js',
  '/__admin/assets/dashboard.css',
  '/docs',
  '/docs/assets/reference.js',
  '/docs/assets/reference.css',
  '/docs/assets/swagger-ui.js',
  '/docs/assets/swagger-ui.css',
].map((path) => request(`GET ${path}`))

/** Sends requests on one connection. Returns all bytes, without the date. */
async function exchange(url: string, requests: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write([...requests, request('GET /nope', ['Connection: close'])].join(''))
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
    .toString('latin1')
    .replaceAll(/^Date: .*\r\n/gm, '')
}

const IN_MEMORY = `
  import { createPetstore } from 'petstore-mock'
  const requests = ${JSON.stringify(REQUESTS)}
  const petstore = createPetstore({ seed: 11, pets: 40 })
  for (const text of requests) {
    const [head, body] = text.split('\\r\\n\\r\\n')
    const [line, ...headers] = head.split('\\r\\n')
    const [method, path] = line.split(' ')
    const sent = headers.map((header) => header.split(': ')).filter(([name]) => !/^(host|content-length)$/i.test(name))
    const response = await petstore.fetch(path, { method, headers: sent, ...(body !== '' && { body }) })
    console.log(JSON.stringify([response.status, [...response.headers], await response.text()]))
  }
`

/** Commands that end by themselves. */
const COMMANDS: readonly (readonly string[])[] = [
  ['--help'],
  ['spec'],
  ['generate', '--pets', '30', '--seed', '5'],
  ['init', 'public'],
  ['--sed', '5'],
  ['--port', '70000'],
  ['--fixtures', 'missing.json'],
]

/** What a user gets from the installed package on one runtime. */
async function tryOn(launcher: Launcher) {
  const { folder } = await installPacked()
  await mkdir(join(folder, 'node_modules/msw'))
  await writeFile(join(folder, 'node_modules/msw/mockServiceWorker.js'), "const INTEGRITY_CHECKSUM = 'made up'")
  await writeFile(join(folder, 'in-memory.js'), IN_MEMORY)
  const program = join(folder, 'node_modules/petstore-mock/dist/cli.js')

  const server = await serve([...launcher, program], folder)
  const bytes = await exchange(server.url, [...REQUESTS, ...PAGES])
  const verified = await runToEnd([...launcher, program, 'verify', server.url], folder)
  const stopped = await server.stop()
  const inMemory = await runToEnd([...launcher, 'in-memory.js'], folder)
  const commands = []
  for (const args of COMMANDS) commands.push([...args, await runToEnd([...launcher, program, ...args], folder)])
  return {
    bytes,
    stopped,
    inMemory,
    commands,
    verified: { ...verified, stdout: verified.stdout.replaceAll(server.url, 'URL').replaceAll(TIMES, 'some time') },
    worker: await readFile(join(folder, 'public/mockServiceWorker.js'), 'utf8'),
  }
}

const TIMES = /\d+(?:\.\d+)? m?s\b/g

let onNode: Awaited<ReturnType<typeof tryOn>>

beforeAll(async () => {
  onNode = await tryOn(NODE)
})

it('works on Node, with which the others are compared', () => {
  expect(onNode.bytes.match(/HTTP\/1\.1 200 OK/g)?.length).toBeGreaterThan(18)
  expect(onNode.stopped).toEqual({ code: 0, stderr: '' })
  expect(onNode.verified).toMatchObject({ code: 0, stderr: '' })
  expect(onNode.inMemory.stdout.split('\n')).toHaveLength(REQUESTS.length + 1)
})

describe.each(RUNTIMES)('$name', (runtime) => {
  let onRuntime: typeof onNode

  beforeAll(async () => {
    onRuntime = await tryOn(launcherOf(runtime))
  })

  it('serves the same bytes as Node, and stops on a signal', () => {
    expect(onRuntime.bytes).toBe(onNode.bytes)
    expect(onRuntime.stopped).toEqual(onNode.stopped)
  })

  it('returns the same responses as Node in memory', () => {
    expect(onRuntime.inMemory).toEqual(onNode.inMemory)
  })

  it('prints the same as Node for every command, with the same exit code', () => {
    expect(onRuntime.commands).toEqual(onNode.commands)
    expect(onRuntime.worker).toBe(onNode.worker)
  })

  it('verifies a service with the same report as Node', () => {
    expect(onRuntime.verified).toEqual(onNode.verified)
  })
})
