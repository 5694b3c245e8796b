import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { makeFolder } from '../support/certificates.js'
import { endCommands, spawnCommand } from '../support/command.js'
import { connectOverHttp } from '../support/mcp.js'

afterEach(endCommands)

const RECORD = pathToFileURL(fileURLToPath(new URL('../package/record-loads.mjs', import.meta.url))).href

it('a server loads what speaks the protocol at the first request to /__admin/mcp', async () => {
  const file = join(makeFolder(), 'loaded')
  const variables = { NODE_OPTIONS: `--import ${RECORD}`, LOADED: file }
  const server = spawnCommand(['--port', '0', '--log-format', 'json'], { variables })
  const [, url = ''] = await server.printed(/"url":"([^"]+)"/)
  await fetch(`${url}/__admin/state`).then((response) => response.text())
  const speaksProtocol = () =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .filter((loaded) => loaded.startsWith('file:'))
      .some((loaded) => readFileSync(new URL(loaded), 'utf8').includes('/shared/mcp.cjs'))
  expect(speaksProtocol()).toBe(false)
  await connectOverHttp({ url })
  expect(speaksProtocol()).toBe(true)
})
