import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import type { ServerOptions } from '../../src/adapters/server/index.js'

export interface ProcessStats {
  /** In bytes, after garbage collection. */
  readonly memory: number
  /** Open connections. */
  readonly sockets: number
}

export interface ServerProcess {
  readonly port: number
  readonly url: string
  stats(): Promise<ProcessStats>
}

/**
 * Starts a server in a separate process, which is killed when the running test ends. It must print nothing. `maxOpenFiles`
 * requires a POSIX shell.
 */
export async function startServerProcess(options: ServerOptions = {}, maxOpenFiles?: number): Promise<ServerProcess> {
  const shell = ['-c', `ulimit -n ${maxOpenFiles} && exec "$0" "$@"`, process.execPath]
  const child = fork(fileURLToPath(new URL('./serve-process.ts', import.meta.url)), {
    execPath: maxOpenFiles === undefined ? process.execPath : '/bin/sh',
    execArgv: [
      ...(maxOpenFiles === undefined ? [] : shell),
      ...['--expose-gc', '--import', import.meta.resolve('tsx')],
    ],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (printed += text))
  const closed = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
  })
  const receive = async <T>(): Promise<T> => {
    const [message] = await Promise.race([
      once(child, 'message'),
      closed.then(() => expect.fail(`The server process has exited: ${printed}`)),
    ])
    return message as T
  }
  child.send(options)
  const { port } = await receive<{ port: number }>()
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    stats() {
      child.send('vitals')
      expect(printed).toBe('')
      return receive()
    },
  }
}
