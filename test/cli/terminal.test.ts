import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { COMMAND_FILE, endCommands, inheritedVariables, startCommand } from '../support/command.js'
import { openServer } from '../support/raw-connection.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-mock-terminal-'))
})
afterEach(async () => {
  await endCommands()
  rmSync(folder, { recursive: true, force: true })
})

/** `script` of util-linux runs a command in a terminal. */
const hasScript = /util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '')

describe.skipIf(!hasScript)('on a terminal', () => {
  /** Runs the built command to its end. Returns what it printed. */
  async function runOnTerminal(args: readonly string[], variables: Record<string, string> = {}): Promise<string> {
    const quoted = [process.execPath, COMMAND_FILE, ...args].map((part) => `'${part}'`).join(' ')
    const file = join(folder, 'typescript')
    const env = { ...inheritedVariables(), TERM: 'xterm', ...variables }
    await promisify(execFile)('script', ['-qec', quoted, file], { env })
    return readFileSync(file, 'utf8')
  }

  it('prints in colour unless NO_COLOR is set', async () => {
    const server = await openServer({ scenario: 'single' })
    const args = ['verify', server.url, '--read-only']
    expect(await runOnTerminal(args)).toContain('\u001b[32m')
    expect(await runOnTerminal(args, { NO_COLOR: '1' })).not.toContain('\u001b[')
  })
})

describe('--open', () => {
  /** Replaces the opener of the operating system with a script that records the URL. */
  function recordOpened(): Record<string, string> {
    const name = process.platform === 'darwin' ? 'open' : 'xdg-open'
    const script = `#!/bin/sh\nprintf %s "$1" > '${folder}/part' && mv '${folder}/part' '${folder}/opened'\n`
    writeFileSync(join(folder, name), script, { mode: 0o755 })
    return { PATH: `${folder}${delimiter}${process.env.PATH}` }
  }

  async function openedBy(args: readonly string[]): Promise<{ url: string; opened: string }> {
    const command = startCommand(['--port', '0', '--open', ...args], recordOpened())
    const [, url = ''] = await command.printed(/^ +API +(http:\S+)$/m)
    await vi.waitUntil(() => existsSync(join(folder, 'opened')), 20_000)
    return { url, opened: readFileSync(join(folder, 'opened'), 'utf8') }
  }

  it('opens the dashboard', async () => {
    const { url, opened } = await openedBy([])
    expect(opened).toBe(`${url}/__admin/`)
    expect((await fetch(opened)).headers.get('content-type')).toContain('text/html')
  })

  it('passes the token in the fragment of the URL, which the server does not receive', async () => {
    const { url, opened } = await openedBy(['--admin-token', 'secret'])
    expect(opened).toBe(`${url}/__admin/#token=secret`)
  })

  it('reports that there is no browser, and keeps serving', async () => {
    const command = startCommand(['--port', '0', '--open'], { PATH: folder })
    await command.complained(/^petstore-mock: Cannot open a browser\.\n$/)
    const [, url = ''] = await command.printed(/^ +API +(http:\S+)$/m)
    expect((await fetch(`${url}/__admin/health`)).status).toBe(200)
  })
})
