import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/adapters/server/index.js'
import { shop } from '../support/client.js'
import { endCommands, runCommand, startCommand, stop, urlPrintedBy } from '../support/command.js'

afterEach(endCommands)

/** The paths of files in a new folder. */
function makeNames(): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'upstream-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return (name) => join(folder, name)
}

/** A mock in front of a service. */
async function startFront({ pass, scenario }: { pass: string[]; scenario?: 'edge-cases' }) {
  const service = await startServer({ port: 0, ...(scenario && { scenario }) })
  onTestFinished(() => service.close())
  const front = await startServer({ port: 0, upstream: service.url, pass })
  onTestFinished(() => front.close())
  return front
}

/** The files of a recording: requests to a mock in front of a service that has other data. */
async function record(): Promise<(name: string) => string> {
  const inFolder = makeNames()
  const front = await startFront({ pass: ['GET'], scenario: 'edge-cases' })
  const headers = { Authorization: 'Bearer secret' }
  for (const path of ['/pets?limit=100', '/categories', '/store/inventory?limit=100', '/pets/99999']) {
    expect((await fetch(front.url + path, { headers })).status).toBeLessThan(500)
  }
  front.mock.faults.add({ operation: 'getPet', status: 503, times: 1 })
  expect((await fetch(`${front.url}/pets/1`)).status).toBe(503)
  writeFileSync(inFolder('real.json'), JSON.stringify(front.mock.reproduction()))
  return inFolder
}

it('a recording becomes a fixture, with which a replay shows how faithful the mock is', async () => {
  const inFolder = await record()
  const [recording, fixture] = [inFolder('real.json'), inFolder('real.yaml')]
  expect(readFileSync(recording, 'utf8')).not.toContain('Bearer secret')

  const unlike = await runCommand(['replay', recording])
  expect(unlike.code).toBe(1)
  expect(unlike.stdout).toMatch(
    /Faithfulness: 25 % \(1 of 4 responses of the real service\)\n {2}1 GET \/pets\?limit=100: /,
  )

  const pulled = await runCommand(['pull', '--reproduction', recording, '--output', fixture])
  expect(pulled).toMatchObject({ code: 0, stderr: expect.stringMatching(/Wrote .* pets/) })

  const { code, stdout } = await runCommand(['replay', recording, '--fixtures', fixture])
  expect(stdout).toMatch(/Faithfulness: 100 % \(4 of 4 responses of the real service\)/)
  expect(code).toBe(0)
})

it('--record writes what was passed through, with the responses of the real service and without secrets', async () => {
  await using service = await startServer({ port: 0, fixtures: shop([{ id: 1, name: 'Real' }]) })
  const file = makeNames()('real.json')
  const flags = ['--upstream', service.url, '--pass', 'getPet', '--record', file]
  const command = startCommand(['--port', '0', ...flags])
  const url = await urlPrintedBy(command)
  const headers = { Authorization: 'Bearer s3cret', 'X-Api-Key': 's3cret', Cookie: 'sid=s3cret' }
  for (const path of ['/pets/1', '/categories']) expect((await fetch(url + path, { headers })).status).toBe(200)
  expect((await stop(command)).code).toBe(0)

  const text = readFileSync(file, 'utf8')
  expect(text).not.toContain('s3cret')
  const [passed, mocked] = JSON.parse(text).steps
  expect(passed).toMatchObject({ operation: 'getPet', upstream: { outcome: 'answered' }, response: { status: 200 } })
  expect(JSON.parse(passed.response.body).name).toBe('Real')
  expect([mocked.operation, mocked.upstream]).toEqual(['listCategories', undefined])
})

it('a recording with writes becomes the data before them, so that they can be repeated', async () => {
  const inFolder = makeNames()
  const front = await startFront({ pass: ['*'] })
  const list = [
    'GET /pets?limit=100',
    'GET /categories',
    'GET /store/orders?limit=100',
    'GET /store/orders?limit=100&offset=100',
    'GET /store/inventory?limit=100',
  ]
  const pet = { name: 'Rex', categoryId: 1 }
  const requests: readonly (readonly [request: string, body?: object])[] = [
    ...list.map((request) => [request] as const),
    ['POST /pets', pet],
    ['PUT /pets/3', { name: 'Max', categoryId: 1 }],
    ['POST /store/orders', { petId: 73, quantity: 1 }],
    ['GET /store/inventory/73'],
    ['DELETE /store/orders/121'],
    ['DELETE /pets/73'],
    ['GET /pets/73'],
    ['POST /categories', { name: 'Fish' }],
    ['PUT /pets/3', { name: 'Ada', categoryId: 2 }],
    ...list.map((request) => [request] as const),
  ]
  const headers = { 'Content-Type': 'application/json' }
  for (const [request, body] of requests) {
    const [method = '', path] = request.split(' ')
    const response = await fetch(`${front.url}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers }),
    })
    expect([request, response.status < 300 || request === 'GET /pets/73']).toEqual([request, true])
  }
  const [recording, fixture] = [inFolder('real.json'), inFolder('real.yaml')]
  writeFileSync(recording, JSON.stringify(front.mock.reproduction()))

  expect(await runCommand(['pull', '--reproduction', recording, '--output', fixture])).toMatchObject({ code: 0 })
  const { code, stdout } = await runCommand(['replay', recording, '--fixtures', fixture])
  expect(stdout).toContain(
    `Faithfulness: 100 % (${requests.length} of ${requests.length} responses of the real service)`,
  )
  expect(code).toBe(0)
})

it('a recording without an upstream has nothing to pull', async () => {
  const inFolder = await record()
  const text = readFileSync(inFolder('real.json'), 'utf8')
  writeFileSync(inFolder('mock.json'), text.replaceAll('"outcome":"answered"', '"outcome":"fallback"'))
  const { code, stderr } = await runCommand(['pull', '--reproduction', inFolder('mock.json')])
  expect([code, stderr]).toEqual([1, expect.stringContaining('no response of the real service')])
})
