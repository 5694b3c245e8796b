import { once } from 'node:events'
import { existsSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { type CommandProcess, endCommands, readyEventOf, spawnCommand, stop } from '../support/command.js'
import { openConnections } from '../support/connections.js'
import { VERY_LONG_MS } from '../support/faults.js'
import { findFreePort } from '../support/find-free-port.js'
import { openConnection, toHttpText } from '../support/raw-connection.js'

afterEach(endCommands)

const GET_PET = toHttpText(['GET /pets/1 HTTP/1.1', 'Host: localhost'])
const GET_CATEGORY = toHttpText(['GET /categories/1 HTTP/1.1', 'Host: localhost'])

interface Started {
  readonly command: CommandProcess
  readonly url: string
  readonly port: number
}

async function start(args: readonly string[] = [], cwd?: string): Promise<Started> {
  const command = spawnCommand(['--port', '0', '--log-format', 'json', ...args], cwd === undefined ? {} : { cwd })
  const { url, port } = await readyEventOf(command)
  return { command, url, port }
}

/** Sends a request whose response is delayed, and waits until the server has received it. */
async function sendDelayed({ url, port }: Started, delayMs: number) {
  const rule = JSON.stringify({ operation: 'getPet', delayMs })
  const headers = { 'content-type': 'application/json' }
  expect((await fetch(`${url}/__admin/faults`, { method: 'POST', headers, body: rule })).status).toBe(201)
  const connection = await openConnection(port)
  connection.send(GET_PET)
  await expect.poll(async () => (await fetch(`${url}/__admin/faults`)).text()).toMatch(/"matched":1\b/)
  return connection
}

it('H7 sends a delayed response, closes idle connections and exits with 0 on SIGTERM', async () => {
  const started = await start(['--quiet', '--idle-timeout-ms', '60000'])
  const { command, port } = started
  const idle = await openConnections(port, 50)
  idle.send(GET_CATEGORY)
  await idle.waitForText('"id":1')
  const connection = await sendDelayed(started, 2000)
  command.kill('SIGTERM')
  await idle.waitUntilClosed()
  await expect(openConnection(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  const responses = await connection.rest()
  expect(responses).toMatchObject([{ status: 200, body: { id: 1 } }])
  expect(responses[0]?.headers.get('connection')).toBe('close')
  expect(await command.ended()).toMatchObject({ code: 0, signal: null, stderr: '' })
})

it.each([
  ['SIGINT', 'SIGTERM'],
  ['SIGTERM', 'SIGINT'],
  ['SIGHUP', 'SIGHUP'],
] as const)('ends at once on a second signal: %s, %s', async (first, second) => {
  const started = await start()
  const connection = await sendDelayed(started, VERY_LONG_MS)
  started.command.kill(first)
  await started.command.printed(/"event":"stopping"/)
  started.command.kill(second)
  expect(await started.command.ended()).toMatchObject({ code: null, signal: second, stderr: '' })
  expect(await connection.rest()).toEqual([])
})

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('H19 ends silently on %s before it is ready', async (signal) => {
  const command = spawnCommand(['--port', '0'])
  command.kill(signal)
  expect(await command.ended()).toEqual({ code: null, signal, stdout: '', stderr: '' })
})

it('stops on SIGHUP as on SIGTERM: finishes the request in progress and prints the coverage', async () => {
  const started = await start(['--coverage'])
  const connection = await sendDelayed(started, 200)
  started.command.kill('SIGHUP')
  expect(await connection.rest()).toMatchObject([{ status: 200, body: { id: 1 } }])
  const { stdout, ...end } = await started.command.ended()
  expect(end).toEqual({ code: 0, signal: null, stderr: '' })
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^\{"event":"coverage"/)
})

it('ends on SIGTERM although nobody reads its log', async () => {
  const { command, url } = await start()
  command.child.stdout?.pause()
  const longPath = `${url}/${'x'.repeat(7000)}`
  for (let request = 0; request < 200; request++) await (await fetch(longPath)).body?.cancel()
  const exit = once(command.child, 'exit')
  command.kill('SIGTERM')
  expect(await exit).toEqual([0, null])
  command.child.stdout?.resume()
})

it('H16 does not write files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-mock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { command, url } = await start(['--coverage'], folder)
  expect((await fetch(`${url}/pets`)).status).toBe(200)
  expect(await stop(command)).toMatchObject({ code: 0, stderr: '' })
  expect(readdirSync(folder)).toEqual([])
})

it.runIf(existsSync('/dev/full'))('H16 keeps responding when its log cannot be written', async () => {
  const port = await findFreePort()
  const command = spawnCommand(['--port', String(port)], { stdout: openSync('/dev/full', 'w') })
  const statusOf = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).then(({ status }) => status)
  await vi.waitUntil(() => statusOf('/pets').catch(() => undefined), { timeout: 40_000, interval: 50 })
  for (let round = 0; round < 5; round++) expect(await statusOf('/nope')).toBe(404)
  expect(await stop(command)).toMatchObject({ code: 0, signal: null, stderr: '' })
})
