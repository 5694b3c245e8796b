#!/usr/bin/env node
// Starts several mock servers and an nginx in front of them, and stops all of them on a signal.
//
//   node start.mjs [--servers 3] [--port 4010]      port 0 picks a free one
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const COMMAND = fileURLToPath(new URL('node_modules/.bin/petstore-mock', import.meta.url))
const TEMPLATE = new URL('nginx.conf', import.meta.url)

const children = []
let stopping = false
const signal = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])

const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-scale-out-'))
try {
  const { servers: count, port: wanted } = readOptions()
  const servers = await Promise.all(Array.from({ length: count }, startPetstore))
  const port = wanted || (await findFreePort())
  const nginx = await startNginx(port, servers)
  console.log(`Ready: http://127.0.0.1:${port}`)
  for (const { url, pid } of servers) console.log(`  one of ${count}: ${url} (process ${pid})`)
  await Promise.race([signal, nginx.ended])
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  stopping = true
  for (const child of children) child.kill()
  await Promise.all(children.map(({ ended }) => ended))
  await rm(folder, { recursive: true })
}

function readOptions() {
  const options = { servers: { type: 'string', default: '3' }, port: { type: 'string', default: '4010' } }
  const { values } = parseArgs({ options })
  const [servers, port] = [Number(values.servers), Number(values.port)]
  if (!(Number.isInteger(servers) && servers > 0)) throw new Error('--servers must be a number from 1 on')
  if (!(Number.isInteger(port) && port >= 0 && port < 65_536)) throw new Error('--port must be a number below 65536')
  return { servers, port }
}

/** Starts a process that ends with this one. `ended` resolves to the reason it ended or could not be started. */
function start(command, args, stdout) {
  // Debian installs nginx in a folder that is only on the path of root.
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }
  const child = spawn(command, args, { stdio: ['ignore', stdout, 'inherit'], env })
  child.ended = new Promise((resolve) => {
    child.once('exit', () => resolve(`${command} has ended`))
    child.once('error', ({ message }) => resolve(message))
  })
  children.push(child)
  return child
}

async function startPetstore() {
  const child = start(COMMAND, ['--port', '0', '--quiet', '--log-format', 'json'], 'pipe')
  // It prints one line with its URL when it is ready.
  const lines = createInterface(child.stdout)
  const ready = await Promise.race([once(lines, 'line'), child.ended])
  if (typeof ready === 'string') throw new Error(`A server did not start: ${ready}. Has npm install been run here?`)
  const { url, port } = JSON.parse(ready[0])
  child.ended.then(() => {
    if (!stopping) console.log(`${url} has ended: its sandboxes start afresh on the others.`)
  })
  return { url, port, pid: child.pid }
}

async function startNginx(port, servers) {
  const template = await readFile(TEMPLATE, 'utf8')
  const configuration = template.replaceAll('PORT', port).replaceAll('TRIES', servers.length)
  await writeFile(join(folder, 'nginx.conf'), configuration)
  const lines = servers.map((server) => `server 127.0.0.1:${server.port} max_fails=0;\n`)
  await writeFile(join(folder, 'servers.conf'), lines.join(''))
  // Started by root, nginx runs its workers as another user, who must be able to enter the folder.
  await chmod(folder, 0o711)
  const nginx = start('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr', '-g', 'daemon off;'], 'inherit')
  const failure = await Promise.race([nginx.ended, untilHealthy(`http://127.0.0.1:${port}/__admin/health`)])
  if (failure !== undefined) throw new Error(`nginx did not start: ${failure}. Is it installed, and the port free?`)
  return nginx
}

/** Resolves when nginx passes on a response. */
async function untilHealthy(url) {
  while (!stopping) {
    const response = await fetch(url).catch(() => undefined)
    // Only our nginx sends this header: another process may be using the port.
    if (response?.headers.has('X-Petstore-Server')) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function findFreePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  await once(probe, 'close')
  return port
}
