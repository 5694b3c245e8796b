import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'

/** A site whose pages use the browser adapter under a strict Content-Security-Policy. */
export interface AdapterSite {
  readonly url: string
  /** The requests that reached the server and were not for a file of the site. */
  readonly received: string[]
  /** Replaces the worker script; undefined removes it. */
  setWorker(script: string | undefined): void
  readonly workerScript: string
  close(): void
}

/** Pages below `/open/` may send requests to other origins. */
function headersOf(path: string): Record<string, string> {
  const more = path.startsWith('/open/') ? "; connect-src 'self' https:" : ''
  return { 'Content-Security-Policy': `default-src 'self'${more}`, 'Cache-Control': 'no-store' }
}

const HTML = '<!doctype html><html lang="en"><title>Adapter</title><link rel="icon" href="/icon.svg"><h1>Adapter</h1>'

export async function openAdapterSite(): Promise<AdapterSite> {
  const scripts = await bundle(['adapter-page', 'adapter-worker'])
  const workerScript = await readFile(createRequire(import.meta.url).resolve('msw/mockServiceWorker.js'), 'utf8')
  let worker: string | undefined = workerScript
  const received: string[] = []

  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://localhost').pathname
    const send = (type: string, text: string, status = 200) => {
      response.writeHead(status, { ...headersOf(path), 'Content-Type': type })
      response.end(text)
    }
    const script = scripts.get(path.slice(path.lastIndexOf('/') + 1))
    if (script !== undefined) return send('text/javascript', script)
    if (path.endsWith('/mockServiceWorker.js') && worker !== undefined) return send('text/javascript', worker)
    if (path === '/icon.svg') return send('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>')
    if (path.endsWith('/'))
      return send('text/html', `${HTML}<script type="module" src="adapter-page.js"></script></html>`)
    received.push(`${request.method} ${request.url}`)
    // Like development servers that respond to every path with the application.
    send('text/html', HTML)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    workerScript,
    setWorker(script) {
      worker = script
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** As in the build of the package, where msw is not part of the bundle: only @mswjs/data must not open a channel. */
const withoutChannel: Plugin = {
  name: 'without-channel',
  setup({ onLoad }) {
    onLoad({ filter: /data[\\/]lib[\\/]extensions[\\/]sync\.js$/ }, async ({ path }) => ({
      contents: `const BroadcastChannel = undefined\n${await readFile(path, 'utf8')}`,
    }))
  },
}

async function bundle(names: readonly string[]): Promise<Map<string, string>> {
  const folder = fileURLToPath(new URL('../browser/', import.meta.url))
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: names.map((name) => `${name}.ts`),
    outdir: 'out',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'error',
    plugins: [withoutChannel],
    // A dependency refers to these, but does not use them in a browser.
    define: { 'process.env.NODE_ENV': '"development"', global: 'globalThis' },
  })
  return new Map(outputFiles.map(({ path, text }) => [path.slice(path.lastIndexOf('/') + 1), text]))
}
