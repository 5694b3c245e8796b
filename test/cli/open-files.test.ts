import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { COMMAND_FILE, inheritedVariables } from '../support/command.js'
import { openConnection } from '../support/raw-connection.js'

/** Starts the command in a process that may have only this many files open. */
async function startWithOpenFiles(max: number): Promise<{ port: number; url: string }> {
  const script = `ulimit -n ${max} && exec "$0" "$@"`
  const args = ['-c', script, process.execPath, COMMAND_FILE, '--port', '0', '--quiet', '--log-format', 'json']
  const child = spawn('sh', args, { env: inheritedVariables(), stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  return JSON.parse(line) as { port: number; url: string }
}

it.skipIf(process.platform === 'win32')('closes the longest idle connection at the limit of open files', async () => {
  const { port, url } = await startWithOpenFiles(64)
  const connections = []
  for (let count = 0; count < 80; count += 1) {
    const connection = await openConnection(port)
    connection.send('GET /pets/1 HTTP/1.1\r\nHost: localhost\r\n\r\n')
    expect((await connection.response()).status).toBe(200)
    connections.push(connection)
  }
  expect(await connections[0]?.rest()).toEqual([])
  expect((await fetch(`${url}/__admin/health`)).status).toBe(200)
})
