import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { platform } from 'node:os'
import type { ListeningServer } from '../adapters/server/index.js'
import type { Io } from './io.js'

const OPENERS: Partial<Record<NodeJS.Platform, readonly [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Opens the dashboard of the mock or of a sandbox in a browser, with the token if there is one. */
export async function openDashboard(
  { url, adminToken }: ListeningServer,
  sandbox: string | undefined,
  env: NodeJS.ProcessEnv,
  { stderr }: Io,
): Promise<void> {
  const page = `${url}${sandbox === undefined ? '' : `/sandbox/${encodeURIComponent(sandbox)}`}/__admin/`
  const reportFailure = (): void => void stderr.write(`petstore-mock: Cannot open a browser. Dashboard: ${page}\n`)
  try {
    // The token is in the fragment, which browsers do not send to the server.
    const address =
      adminToken === undefined ? page : await redirectOnce(`${page}#token=${encodeURIComponent(adminToken)}`)
    const [command, ...args] = OPENERS[platform()] ?? ['xdg-open']
    const opener = spawn(command, [...args, address], { stdio: 'ignore', detached: true, env })
    opener.on('error', reportFailure)
    opener.on('exit', (code) => code !== 0 && reportFailure())
    opener.unref()
  } catch {
    reportFailure()
  }
}

/**
 * A one-time address that redirects to a page. The browser gets it instead of one with the token, because other users of the
 * machine can see the arguments of a process.
 */
async function redirectOnce(location: string): Promise<string> {
  const path = `/${crypto.randomUUID()}`
  const server = createServer((request, response) => {
    response.setHeader('Connection', 'close')
    if (!server.listening || request.url !== path) return response.writeHead(404).end()
    server.close()
    return response.writeHead(302, { Location: location, 'Cache-Control': 'no-store' }).end()
  })
  await once(server.listen(0, '127.0.0.1').unref(), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
}
