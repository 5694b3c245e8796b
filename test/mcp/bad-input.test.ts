import { PassThrough } from 'node:stream'
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { createMcp } from '../../src/adapters/server/served.js'
import { createPetstore } from '../../src/index.js'
import { petstoreService } from '../../src/petstore/service.js'
import { endCommands, startCommand, stop } from '../support/command.js'
import { connectOverHttp, connectOverStdio, startMock } from '../support/mcp.js'

afterEach(endCommands)

/** For calls that change nothing. */
const shared = await connectOverHttp(await startMock({}, afterAll), {}, afterAll)

describe('a tool error', () => {
  it.each<[tool: string, args: Record<string, unknown>, sentence: string]>([
    ['read_date', {}, 'Unknown tool "read_date". Did you mean "read_data"?'],
    ['read_data', {}, '/resource is missing: it must be a non-empty string'],
    ['read_data', { resource: 7 }, '/resource must be a non-empty string, but is the number 7'],
    ['read_data', { resource: 'pets', limit: 1000 }, '/limit must be an integer from 1 to 100, but is the number 1000'],
    ['read_data', { resource: 'pet' }, 'Unknown collection "pet". Did you mean "pets"?'],
    ['read_data', { resource: '../clock' }, 'Unknown collection "../clock".'],
    ['read_data', { resource: 'pets', id: 999 }, 'pets has no record "999".'],
    ['read_data', { resource: 'pets', id: 1, limit: 5 }, '/limit cannot be combined with /id.'],
    ['change_data', { action: 'create', resource: 'pets' }, '/records is missing: create requires it.'],
    ['change_data', { action: 'delete', resource: 'pets' }, '/id is missing: delete requires it.'],
    ['change_data', { action: 'create', resource: 'pets', records: [{ nam: 1 }] }, 'Did you mean "name"?'],
    [
      'change_data',
      { action: 'delete', resource: 'pets', id: 1, fields: {} },
      '/fields cannot be combined with delete.',
    ],
    ['send_request', { path: 'pets' }, '/path must be a string that matches ^/, but is the string "pets"'],
    ['send_request', { path: '/%5F_admin/state' }, '/path belongs to the admin API. Use the other tools.'],
    ['send_request', { path: '/x/../__admin/state' }, '/path belongs to the admin API. Use the other tools.'],
    ['send_request', { path: '/pets', body: {} }, 'GET /pets got no response'],
    ['send_request', { path: '/pets', method: 'A B' }, 'A B /pets got no response'],
    ['simulate', {}, 'The arguments must be either /failure or /response.'],
    ['simulate', { failure: { operation: 'getPt' } }, 'Unknown operation "getPt". Did you mean "getPet"?'],
    ['simulate', { failure: { stats: 503 } }, '/failure/stats is unknown. Did you mean "status"?'],
    ['simulate', { response: { operation: 'getPet' } }, '/status is missing, or /sequence'],
    ['rules', { id: 1 }, '/id requires /remove to be failure or response.'],
    ['rules', { remove: 'failure', id: 9 }, 'Unknown fault rule 9.'],
    ['requests', { waitMs: 5 }, '/waitMs requires /operation.'],
    ['requests', { operation: 'getPet', times: 2 }, '/times requires /waitMs.'],
    ['requests', { id: 1, status: 200 }, '/status cannot be combined with /id.'],
    [
      'requests',
      { operation: 'getPet', waitMs: 1 },
      'Timed out after 1 ms: the mock received 0 of 1 requests of getPet.',
    ],
    ['requests', { id: 77 }, 'Journal entry 77 does not exist or was evicted.'],
    ['clock', { now: 'noon' }, '/now must be an RFC 3339 date-time'],
    ['reset', { scenario: 'bussy' }, 'Unknown scenario "bussy". Did you mean "busy"?'],
    ['describe_service', { operation: 'getPt' }, 'Unknown operation "getPt". Did you mean "getPet"?'],
    ['describe_service', { operation: 'getPet', search: 'x' }, '/search cannot be combined with /operation.'],
    ['save_reproduction', { last: 2 }, '/last requires /as.'],
    ['save_reproduction', { as: 'vitest' }, 'No requests were recorded.'],
    ['save_reproduction', { file: 'a.json' }, '/file is unknown.'],
  ])('says what is wrong with %s %j', async (tool, args, sentence) => {
    expect(await shared.fail(tool, args)).toContain(sentence)
  })

  it('says which failure was simulated', async () => {
    const { call, fail } = await connectOverHttp(await startMock())
    await call('simulate', { failure: { operation: 'getPet', kind: 'reset' } })
    await call('simulate', { failure: { operation: 'listPets', kind: 'timeout' } })
    expect(await fail('send_request', { path: '/pets/1' })).toMatch(/^GET \/pets\/1 got no response: .+\.$/)
    expect(await fail('send_request', { path: '/pets', timeoutMs: 20 })).toBe('GET /pets got no response within 20 ms.')
  })
})

describe('over HTTP', () => {
  it('a message that is too large is refused, and the session goes on', async () => {
    const { call } = shared
    await expect(call('send_request', { path: '/pets', body: 'x'.repeat(1_100_000) })).rejects.toThrow(
      'The message exceeds 1048576 bytes.',
    )
    expect(await call('clock')).toMatchObject({ frozen: false })
  })

  it('a cancelled request ends, and nothing of it is left', async () => {
    const server = await startMock()
    const { client, call } = await connectOverHttp(server)
    const cancel = new AbortController()
    const args = { operation: 'getPet', waitMs: 60_000 }
    const waiting = client.callTool({ name: 'requests', arguments: args }, undefined, { signal: cancel.signal })
    const outcome = waiting.catch((error: Error) => error.message)
    await call('clock')
    cancel.abort('enough')
    expect(await outcome).toContain('enough')
    expect(await call('clock')).toMatchObject({ frozen: false })
    await server.close()
  })

  it('a request that waits ends with its session, and with the server', async () => {
    const server = await startMock()
    const args = { operation: 'getPet', waitMs: 60_000 }
    for (const end of [
      (transport: StreamableHTTPClientTransport) => transport.terminateSession(),
      () => server.close(),
    ]) {
      const { call, transport } = await connectOverHttp(server)
      const waiting = call('requests', args).catch((error: Error) => error.message)
      await call('clock')
      await end(transport as StreamableHTTPClientTransport)
      expect(await waiting).toContain('The session is over')
    }
  })

  it('the sandbox goes with the session, and the session with the sandbox', async () => {
    const server = await startMock({ maxSandboxes: 1 })
    const first = await connectOverHttp(server)
    expect(server.petstore.sandboxes.list().map(({ name }) => `${server.url}/sandbox/${name}`)).toEqual([first.baseUrl])
    const second = await connectOverHttp(server)
    await expect(first.call('clock')).rejects.toThrow('The session is over')
    await (second.transport as StreamableHTTPClientTransport).terminateSession()
    expect(server.petstore.sandboxes.list()).toEqual([])
  })

  it('a new session looks up the others, and does not list all sandboxes for each', async () => {
    const server = await startMock()
    const list = vi.spyOn(server.petstore.sandboxes, 'list')
    for (let count = 0; count < 3; count++) await connectOverHttp(server)
    expect(list).not.toHaveBeenCalled()
  })

  it.each<[what: string, init: RequestInit, status: number]>([
    ['a stream', {}, 405],
    ['an unknown session', { method: 'POST', headers: { 'mcp-session-id': 'x' } }, 404],
    ['no session', { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' }, 400],
    ['no JSON', { method: 'POST', body: '{' }, 400],
    ['no body', { method: 'POST' }, 400],
    ['a page of another origin', { method: 'POST', headers: { origin: 'https://evil.example' } }, 403],
    ['the wrong token', { method: 'POST', headers: { authorization: 'Bearer x' } }, 401],
  ])('%s gets an error', async (_, init, status) => {
    const server = await startMock({ adminToken: 'secret' })
    const headers = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      authorization: 'Bearer secret',
      ...(init.headers as object),
    }
    const response = await fetch(`${server.url}/__admin/mcp`, { ...init, headers })
    expect([response.status, response.headers.has('x-petstore-mock')]).toEqual([status, true])
    expect(server.petstore.sandboxes.list()).toEqual([])
  })

  it('the next request works after one for which the service could not be read', async () => {
    let reads = 0
    const service = {
      ...petstoreService,
      get resources() {
        reads += 1
        if (reads === 1) throw new Error('too many open files')
        return petstoreService.resources
      },
    }
    const respond = createMcp(service, createPetstore(), new AbortController().signal)
    const request = { method: 'GET', path: '/__admin/mcp', base: '', query: '', headers: {} }
    await expect(respond(request)).rejects.toThrow('too many open files')
    expect(await respond(request)).toMatchObject({ response: { status: 405 } })
  })

  it('a client with the token is served', async () => {
    const server = await startMock({ adminToken: 'secret' })
    await expect(connectOverHttp(server)).rejects.toThrow('requires a token')
    const { call } = await connectOverHttp(server, { headers: { authorization: 'Bearer secret' } })
    expect(await call('clock')).toMatchObject({ frozen: false })
  })
})

const INITIALIZE = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

const toLine = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`

const CALL = { id: 2, method: 'tools/call', params: { name: 'clock', arguments: {} } }

function startMcp(args: readonly string[] = []) {
  const stdin = new PassThrough()
  return { stdin, command: startCommand(['mcp', ...args], {}, undefined, stdin) }
}

describe('over standard input and output', () => {
  it('responds to all requests, then ends with its input', async () => {
    const { stdin, command } = startMcp()
    stdin.end(toLine(INITIALIZE) + toLine(CALL))
    const { code, stdout, stderr } = await command.ended()
    const messages = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect({ code, ids: messages.map(({ id }) => id) }).toEqual({ code: 0, ids: [1, 2] })
    expect(stderr).toContain('is ready')
  })

  it('ends with its input while a request waits', async () => {
    const { stdin, command } = startMcp()
    const params = { name: 'requests', arguments: { operation: 'getPet', waitMs: 60_000 } }
    stdin.end(toLine(INITIALIZE) + toLine({ ...CALL, params }))
    expect(await command.ended()).toMatchObject({ code: 0 })
  })

  it('ends with a signal', async () => {
    const { stdin, command } = startMcp()
    stdin.write(toLine(INITIALIZE))
    await command.printed(/"id":1/)
    expect(await stop(command)).toMatchObject({ code: 0 })
  })

  it('goes on after lines that are no messages, and reports them on standard error', async () => {
    const { stdin, command } = startMcp()
    stdin.end(`\n{\n[]\n${toLine({ id: 7, method: 'unknown' })}${toLine(INITIALIZE)}${toLine({ ...CALL, id: 9 })}`)
    const { code, stdout, stderr } = await command.ended()
    const ids = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id)
    expect({ code, ids: ids.sort() }).toEqual({ code: 0, ids: [1, 7, 9] })
    expect(stderr.match(/^petstore-mock: /gm)?.length).toBeGreaterThanOrEqual(3)
  })

  it('ends at a message without an end', async () => {
    const { stdin, command } = startMcp()
    stdin.write('x'.repeat(11_000_000))
    const { code, stderr } = await command.ended()
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('exceeded maximum size') })
  })

  it('reads no more while its output is not read', async () => {
    const { call, client } = await connectOverStdio()
    const results = await Promise.all(Array.from({ length: 200 }, () => call('describe_service')))
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1)
    await client.close()
  })
})

describe('with --url', () => {
  it('uses a sandbox of a running mock, and removes it', async () => {
    const server = await startMock({ adminToken: 'secret' })
    const { stdin, command } = startMcp(['--url', server.url, '--token', 'secret'])
    stdin.write(toLine(INITIALIZE) + toLine(CALL))
    await command.printed(/"id":2/)
    const [sandbox] = server.petstore.sandboxes.list()
    expect((await command.printed(/Base URL[^"]+?: (http[^\\]+)/))[1]).toBe(`${server.url}/sandbox/${sandbox?.name}`)
    stdin.end()
    expect(await command.ended()).toMatchObject({ code: 0, stderr: '' })
    expect(server.petstore.sandboxes.list()).toEqual([])
  })

  it.each([
    [['--url', 'http://127.0.0.1:1'], 1, 'could not be reached. Start a mock'],
    [['--url', 'http://127.0.0.1:1', '--seed', '3'], 2, '--seed cannot be combined with --url'],
    [['--token', 'x'], 2, '--token requires --url'],
  ])('%j is an error', async (args, code, message) => {
    const { stdin, command } = startMcp(args)
    stdin.end()
    expect(await command.ended()).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) })
  })
})
