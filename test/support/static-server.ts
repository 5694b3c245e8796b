import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

export interface StaticServer {
  readonly origin: string
  /** The paths it was asked for. */
  readonly received: readonly string[]
  close(): void
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const STRICT_HEADERS = { 'Content-Security-Policy': "default-src 'self'", 'Cache-Control': 'no-store' }

/** Serves the files of a folder, and nothing else, below a path on the loopback interface; by default with a strict policy. */
export async function serveFolder(
  folder: string,
  base: string,
  headers: Readonly<Record<string, string>> = STRICT_HEADERS,
): Promise<StaticServer> {
  const received: string[] = []
  const server = createServer(async ({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://localhost')
    received.push(pathname)
    const file = pathname.replace(/\/$/, '/index.html')
    try {
      if (!file.startsWith(base)) throw new Error('The path is outside the served folder.')
      const content = await readFile(join(folder, file.slice(base.length)))
      response.writeHead(200, { ...headers, 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' })
      response.end(content)
    } catch {
      response.writeHead(404, headers).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
