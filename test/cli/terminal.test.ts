import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPetstore } from '../../src/index.js'
import { COMMAND_FILE, endCommands, inheritedVariables, startCommand, urlPrintedBy } from '../support/command.js'
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
  /** Replaces the opener of the operating system with a script. */
  function writeOpener(script: string): void {
    const name = process.platform === 'darwin' ? 'open' : 'xdg-open'
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  }

  /** Replaces it with a script that records the URL. */
  function recordOpened(): Record<string, string> {
    writeOpener(`printf %s "$1" > '${folder}/part' && mv '${folder}/part' '${folder}/opened'`)
    return { PATH: `${folder}${delimiter}${process.env.PATH}` }
  }

  async function openedBy(args: readonly string[]): Promise<{ url: string; opened: string }> {
    const command = startCommand([...args, '--port', '0', '--open'], recordOpened())
    const url = await urlPrintedBy(command)
    await vi.waitUntil(() => existsSync(join(folder, 'opened')), 30_000)
    return { url, opened: readFileSync(join(folder, 'opened'), 'utf8') }
  }

  it('opens the dashboard', async () => {
    const { url, opened } = await openedBy([])
    expect(opened).toBe(`${url}/__admin/`)
    expect((await fetch(opened)).headers.get('content-type')).toContain('text/html')
  })

  it('opens the dashboard of the sandbox that a reproduction is of', async () => {
    const sandbox = createPetstore().sandboxes.open('checkout')
    await sandbox.fetch('/pets/1')
    const file = join(folder, 'run.petstore.json')
    writeFileSync(file, JSON.stringify(sandbox.reproduction()))
    const { url, opened } = await openedBy(['replay', file, '--until', '1'])
    expect(opened).toBe(`${url}/sandbox/checkout/__admin/`)
  })

  it.each(['secret', 'p%w', '%41#&?'])(
    'opens an address that leads once to the dashboard with the token %s',
    async (token) => {
      const { url, opened } = await openedBy(['--admin-token', token])
      // Other users of the machine can see the arguments of the browser.
      expect(opened).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f-]{36}$/)
      expect((await fetch(`${opened}0`)).status).toBe(404)
      const response = await fetch(opened, { redirect: 'manual' })
      const [page, encoded = ''] = response.headers.get('Location')?.split('#token=') ?? []
      expect({ status: response.status, page }).toEqual({ status: 302, page: `${url}/__admin/` })
      expect(decodeURIComponent(encoded)).toBe(token)
      await expect(fetch(opened)).rejects.toThrow('fetch failed')
    },
  )

  it.each([
    ['there is no browser', () => {}],
    ['the browser cannot be opened', () => writeOpener('exit 3')],
  ])('reports that %s, and keeps serving', async (_, prepare) => {
    prepare()
    const command = startCommand(['--port', '0', '--open', '--admin-token', 'secret'], { PATH: folder })
    const url = await urlPrintedBy(command)
    const [line] = await command.complained(/^.*\n$/)
    expect(line).toBe(`petstore-mock: Cannot open a browser. Dashboard: ${url}/__admin/\n`)
    expect((await fetch(`${url}/pets`)).status).toBe(200)
  })
})
