import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { endCommands, startCommand } from '../support/command.js'
import { openServer } from '../support/raw-connection.js'

vi.setConfig({ testTimeout: 120_000 })

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
const TSX = import.meta.resolve('tsx')
const ESCAPE = '\u001b['

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-mock-terminal-'))
})
afterEach(async () => {
  await endCommands()
  rmSync(folder, { recursive: true, force: true })
})

/** `script` of util-linux runs a command in a terminal of its own. */
const hasScript = /util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '')

describe.skipIf(!hasScript)('on a terminal', () => {
  /** What a person sees of the command, run to its end. */
  async function watch(args: readonly string[], variables: Record<string, string> = {}): Promise<string> {
    const quoted = [process.execPath, '--import', TSX, MAIN, ...args].map((part) => `'${part}'`).join(' ')
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(?:PETSTORE_|NO_COLOR$|FORCE_COLOR$)/.test(name),
    )
    const env = { ...Object.fromEntries(inherited), TERM: 'xterm', ...variables }
    const file = join(folder, 'typescript')
    await promisify(execFile)('script', ['-qec', quoted, file], { env })
    return readFileSync(file, 'utf8')
  }

  it('paints what verify found, unless it is told not to', async () => {
    const server = await openServer({ scenario: 'single' })
    const args = ['verify', server.url, '--read-only']
    expect(await watch(args)).toContain(`${ESCAPE}32m`)
    expect(await watch(args, { NO_COLOR: '1' })).not.toContain(ESCAPE)
  })
})

describe('--open', () => {
  /** Stands in for the system's opener: writes down what it is asked for. */
  function fakeOpener(): Record<string, string> {
    const name = process.platform === 'darwin' ? 'open' : 'xdg-open'
    writeFileSync(
      join(folder, name),
      `#!/bin/sh\nprintf %s "$1" > '${folder}/part' && mv '${folder}/part' '${folder}/opened'\n`,
      {
        mode: 0o755,
      },
    )
    return { PATH: `${folder}${delimiter}${process.env.PATH}` }
  }

  async function openedBy(args: readonly string[]): Promise<{ url: string; opened: string }> {
    const command = startCommand(['--port', '0', '--open', ...args], fakeOpener())
    const [, url = ''] = await command.printed(/^ +API +(http:\S+)$/m)
    await vi.waitUntil(() => existsSync(join(folder, 'opened')), 20_000)
    return { url, opened: readFileSync(join(folder, 'opened'), 'utf8') }
  }

  it('opens the dashboard of the server that was started', async () => {
    const { url, opened } = await openedBy([])
    expect(opened).toBe(`${url}/__admin/`)
    expect((await fetch(opened)).headers.get('content-type')).toContain('text/html')
  })

  it('hands over the token where there is one, in the part of the address that no server sees', async () => {
    const { url, opened } = await openedBy(['--admin-token', 'secret'])
    expect(opened).toBe(`${url}/__admin/#token=secret`)
  })

  it('is not missed where there is no browser: it says so and goes on', async () => {
    const command = startCommand(['--port', '0', '--open'], { PATH: folder })
    await command.complained(/^petstore-mock: no browser could be opened here\n$/)
    const [, url = ''] = await command.printed(/^ +API +(http:\S+)$/m)
    expect((await fetch(`${url}/__admin/health`)).status).toBe(200)
  })
})
