import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Plugin } from 'vitest/config'

/** Serves the service worker script at the root, as an application does with the one that `init` copies. */
export function serveWorkerScript(): Plugin {
  const script = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js')
  return {
    name: 'worker-script',
    configureServer: ({ middlewares }) =>
      void middlewares.use('/mockServiceWorker.js', async (_, response) => {
        response.setHeader('Content-Type', 'text/javascript').end(await readFile(script))
      }),
  }
}
