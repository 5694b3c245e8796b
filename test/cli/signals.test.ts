import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { endCommands, type RunningCommand, startCommand } from '../support/command.js'
import { openConnections } from '../support/connections.js'
import { VERY_LONG_MS } from '../support/faults.js'
import { freePort } from '../support/find-free-port.js'
import { openConnection, toHttpText } from '../support/raw-connection.js'

vi.setConfig({ testTimeout: 120_000 })
afterEach(endCommands)

const GET = toHttpText(['GET /pets/1 HTTP/1.1', 'Host: localhost'])
const IDLE = toHttpText(['GET /categories/1 HTTP/1.1', 'Host: localhost'])

interface Started {
  readonly command: RunningCommand
  readonly url: string
  readonly port: number
}

async function start(args: readonly string[] = [], cwd?: string): Promise<Started> {
  const command = startCommand(['--port', '0', '--log-format', 'json', ...args], {}, cwd)
  const [, url = '', port = ''] = await command.printed(/^\{"event":"ready","url":"([^"]+)".*"port":(\d+)/)
  return { command, url, port: Number(port) }
}

/** A client that waits for its answer, of which the server knows. */
async function waitForLate({ url, port }: Started, delayMs: number) {
  const rule = JSON.stringify({ operation: 'getPet', delayMs })
  const headers = { 'content-type': 'application/json' }
  expect((await fetch(`${url}/__admin/faults`, { method: 'POST', headers, body: rule })).status).toBe(201)
  const wire = await openConnection(port)
  wire.send(GET)
  await vi.waitUntil(async () => /"matched":1\b/.test(await (await fetch(`${url}/__admin/faults`)).text()))
  return wire
}

it('H7 answers who waits, lets a thousand idle connections go, and ends well on SIGTERM', async () => {
  const started = await start(['--quiet', '--idle-timeout-ms', '60000'])
  const { command, port } = started
  const crowd = await openConnections(port, 1000)
  crowd.send(IDLE)
  await crowd.waitForText('"id":1')
  const wire = await waitForLate(started, 1000)
  command.kill('SIGTERM')
  await crowd.waitUntilClosed()
  await expect(openConnection(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  const answers = await wire.rest()
  expect(answers).toMatchObject([{ status: 200, body: { id: 1 } }])
  expect(answers[0]?.headers.get('connection')).toBe('close')
  expect(await command.ended()).toMatchObject({ code: 0, signal: null, stderr: '' })
})

it('ends at once on a second signal, whichever it is', async () => {
  const orders = [
    ['SIGINT', 'SIGTERM'],
    ['SIGTERM', 'SIGINT'],
    ['SIGINT', 'SIGINT'],
    ['SIGTERM', 'SIGTERM'],
  ] as const
  await Promise.all(
    orders.map(async ([first, second]) => {
      const started = await start()
      const wire = await waitForLate(started, VERY_LONG_MS)
      started.command.kill(first)
      await started.command.printed(/"event":"stopping"/)
      started.command.kill(second)
      expect(await started.command.ended()).toMatchObject({ code: null, signal: second, stderr: '' })
      expect(await wire.rest()).toEqual([])
    }),
  )
})

it('H19 ends without a word on a signal that comes before it is ready', async () => {
  const signals = ['SIGINT', 'SIGTERM'] as const
  const outcomes = signals.map((signal) => {
    const command = startCommand(['--port', '0'])
    command.kill(signal)
    return command.ended()
  })
  expect(await Promise.all(outcomes)).toEqual(signals.map((signal) => ({ code: null, signal, stdout: '', stderr: '' })))
})

it('H16 writes no file, wherever it is started', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-mock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { command, url } = await start(['--coverage'], folder)
  expect((await fetch(`${url}/pets`)).status).toBe(200)
  command.kill('SIGTERM')
  expect(await command.ended()).toMatchObject({ code: 0, stderr: '' })
  expect(readdirSync(folder)).toEqual([])
})

it.runIf(existsSync('/dev/full'))('H16 answers although its log cannot be written', async () => {
  const port = await freePort()
  const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), main, '--port', String(port)], {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let unreportedErrors = ''
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    unreportedErrors += text
  })
  const statusOf = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).then(({ status }) => status)
  await vi.waitUntil(() => statusOf('/pets').catch(() => undefined), { timeout: 40_000, interval: 50 })
  for (let round = 0; round < 5; round++) expect(await statusOf('/nope')).toBe(404)
  child.kill('SIGTERM')
  expect(await once(child, 'close')).toEqual([0, null])
  expect(unreportedErrors).toBe('')
})
