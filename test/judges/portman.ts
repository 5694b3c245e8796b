import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOperations, SPEC } from './document.js'
import { count, expectFound, type Judge } from './judge.js'
import { createPortmanConfig } from './portman-config.js'
import { inFolder, type Running, runTool, startServer } from './tools.js'
import { startWrongServer } from './wrong-server.js'

interface Report {
  readonly run: {
    readonly stats: Record<'requests' | 'assertions', { readonly total: number; readonly failed: number }>
    readonly failures: readonly { readonly error: { readonly test?: string; readonly message: string } }[]
    readonly executions: readonly { readonly item: { readonly name: string } }[]
  }
}

/** Portman generates contract tests from the document, and Newman runs them against the server. */
export const portman: Judge = {
  name: 'portman',
  judge: () =>
    inFolder(async (folder) => {
      const operations = readOperations()
      await writeCollection(folder, createPortmanConfig(operations))
      const { run } = await withServer(startServer, (url) => runCollection(folder, url))
      const { requests, assertions } = run.stats
      // The wrong server implements only the pets.
      const blind = await withServer(startWrongServer, (url) => runCollection(folder, url, ['--folder', 'Pets']))
      return {
        figures: `${count(requests.total, 'request')}, ${assertions.total - assertions.failed} of ${count(assertions.total, 'assertion')} passed`,
        faults: [
          ...run.failures.map(({ error }) => `${error.test ?? 'the request itself'}: ${error.message}`),
          ...(requests.total > operations.length ? [] : [`only ${count(requests.total, 'request')} were made`]),
          ...expectFound('a server that breaks its contract', blind.run.stats.assertions.failed > 0),
        ],
      }
    }),
}

/** In a separate folder, because Portman leaves files where it runs. */
async function writeCollection(folder: string, config: unknown): Promise<void> {
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
  const args = ['--local', SPEC, '--portmanConfigFile', 'config.json', '--output', 'collection.json']
  const { code, output } = await runTool('portman', [...args, '--runNewman', 'false'], folder)
  if (code !== 0) throw new Error(`Portman ended with exit code ${code}\n${output}`)
}

async function runCollection(folder: string, server: string, more: readonly string[] = []): Promise<Report> {
  const report = join(folder, 'report.json')
  const reporter = ['--reporters', 'json', '--reporter-json-export', report]
  await runTool('newman', ['run', 'collection.json', '--env-var', `baseUrl=${server}`, ...reporter, ...more], folder)
  return JSON.parse(readFileSync(report, 'utf8')) as Report
}

async function withServer<T>(start: () => Promise<Running>, use: (url: string) => Promise<T>): Promise<T> {
  const server = await start()
  try {
    return await use(server.url)
  } finally {
    await server.stop()
  }
}
