import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
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

/** What a user gets from the installed package on one runtime. */
async function tryOn(launcher: Launcher) {
  const { folder } = await installPacked()
  const server = await serve([...launcher, join(folder, 'node_modules/petstore-mock/dist/cli.js')], folder)
  const bytes = await exchange(server.url, [...REQUESTS, ...PAGES])
  const stopped = await server.stop()
  await writeFile(join(folder, 'in-memory.js'), IN_MEMORY)
  return { bytes, stopped, inMemory: await runToEnd([...launcher, 'in-memory.js'], folder) }
}

let onNode: Awaited<ReturnType<typeof tryOn>>

beforeAll(async () => {
  onNode = await tryOn(NODE)
})

it('works on Node, with which the others are compared', () => {
  expect(onNode.bytes.match(/HTTP\/1\.1 200 OK/g)?.length).toBeGreaterThan(18)
  expect(onNode.stopped).toEqual({ code: 0, stderr: '' })
  expect(onNode.inMemory.stdout.split('\n')).toHaveLength(REQUESTS.length + 1)
})

it.each(RUNTIMES)(
  '$name serves the same bytes as Node, stops on a signal, and gives the same in memory',
  async (runtime) => {
    expect(await tryOn(launcherOf(runtime))).toEqual(onNode)
  },
)
