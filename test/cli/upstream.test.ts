import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { makeFolder } from '../support/certificates.js'
import { endCommands, runCommand, startCommand, stop, urlPrintedBy } from '../support/command.js'
import { serve } from '../support/serve.js'

afterEach(endCommands)

/** A service whose pets lack their category. */
const startCareless = () =>
  serve((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"id":1,"name":"Rex","status":"available"}')
  })

it('says at the start what is passed through, and which of it changes data', async () => {
  const reads = startCommand([
    '--port',
    '0',
    '--upstream',
    'https://service.example',
    '--pass',
    'GET',
    '--mock',
    'list*',
  ])
  await reads.printed(/Upstream {3}https:\/\/service\.example answers 4 of 18 operations\n/)
  const writes = startCommand(['--port', '0', '--upstream', 'https://service.example', '--pass', 'getPet,deletePet'])
  await writes.printed(/answers 2 of 18 operations, of which these CHANGE ITS DATA: deletePet\n/)
})

it.each([
  [
    'exits with 1 for violations with --upstream-strict',
    ['--upstream-strict'],
    1,
    /which violates.*\/categoryId is missing/,
  ],
  ['only shows violations without it', [], 0, /^$/],
])('%s', async (_title, flags, expected, error) => {
  const command = startCommand(['--port', '0', '--upstream', await startCareless(), '--pass', 'getPet', ...flags])
  const url = await urlPrintedBy(command)
  expect((await fetch(`${url}/pets/1`)).status).toBe(200)
  await command.printed(/getPet .*upstream answered[\s\S]*response: \/categoryId is missing/)
  const { code, stderr } = await stop(command)
  expect([code, stderr]).toEqual([expected, expect.stringMatching(error)])
})

it('writes coverage and recording, and names each violation, when --upstream-strict ends the run', async () => {
  const file = join(makeFolder(), 'run.json')
  const flags = ['--pass', 'getPet,listPets', '--upstream-strict', '--record', file, '--coverage', '--quiet']
  const command = startCommand(['--port', '0', '--upstream', await startCareless(), ...flags])
  const url = await urlPrintedBy(command)
  for (const path of ['/pets/1', '/pets/2', '/pets?limit=many']) await fetch(url + path)
  const { code, stdout, stderr } = await stop(command)
  expect(code).toBe(1)
  expect(stdout).toContain('Operations 2 of 18 exercised')
  expect(JSON.parse(readFileSync(file, 'utf8')).steps).toHaveLength(3)
  const lines = stderr.trimEnd().split('\n')
  expect(lines).toHaveLength(5)
  expect(lines[0]).toMatch(/^petstore-mock: Wrote 3 requests to /)
  for (const line of lines.slice(1)) {
    expect(line).toMatch(
      /^petstore-mock: GET \/pets.* violates the OpenAPI document: .*[^.]\. The option upstreamStrict/,
    )
  }
})

it.each([
  [['--pass', 'getPet'], /--pass requires --upstream/],
  [['--upstream', 'service.example'], /--upstream must be a URL/],
  [
    ['--upstream', 'https://service.example', '--pass', 'getPets'],
    /Unknown operation "getPets"\. Did you mean "getPet"/,
  ],
  [['--upstream', 'https://service.example', '--upstream-ca', 'missing.pem'], /Cannot read "missing\.pem"/],
])('rejects %j', async (flags, message) => {
  const { code, stderr } = await runCommand(['--port', '0', ...flags])
  expect(code).not.toBe(0)
  expect(stderr).toMatch(message)
})
