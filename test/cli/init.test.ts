import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { endCommands, startCommand } from '../support/command.js'

const SCRIPT = await readFile(createRequire(import.meta.url).resolve('msw/mockServiceWorker.js'), 'utf8')

afterEach(endCommands)

/** A project that has msw installed, unless told otherwise. */
async function createProject({ hasMsw = true } = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-init-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  if (hasMsw) {
    await mkdir(join(folder, 'node_modules'))
    await symlink(join(process.cwd(), 'node_modules/msw'), join(folder, 'node_modules/msw'))
  }
  return folder
}

function init(cwd: string, ...args: string[]) {
  return startCommand(['init', ...args], {}, cwd).ended()
}

describe('petstore-mock init', () => {
  it('copies the worker script of the project’s msw and says what to do next', async () => {
    const project = await createProject()
    const { code, stdout, stderr } = await init(project, 'public')
    expect([code, stderr]).toEqual([0, ''])
    expect(await readFile(join(project, 'public/mockServiceWorker.js'), 'utf8')).toBe(SCRIPT)
    expect(stdout).toMatch(
      /^Copied: public\/mockServiceWorker.js \(the folder is new: is it the one that is served\?\)\n/,
    )
    expect(stdout).toContain("import('petstore-mock/browser')")
  })

  it('replaces an older script, and leaves alone what is up to date', async () => {
    const project = await createProject()
    await mkdir(join(project, 'public'))
    const file = join(project, 'public/mockServiceWorker.js')
    await writeFile(file, "const INTEGRITY_CHECKSUM = 'old'")
    expect((await init(project, 'public')).stdout).toMatch(/^Updated: /)
    expect(await readFile(file, 'utf8')).toBe(SCRIPT)
    expect((await init(project, 'public')).stdout).toMatch(/^Is up to date: /)
  })

  it('does not overwrite a file that is something else', async () => {
    const project = await createProject()
    await writeFile(join(project, 'mockServiceWorker.js'), 'mine')
    const { code, stdout, stderr } = await init(project, '.')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toBe(
      'petstore-mock: mockServiceWorker.js is there already and is no worker script: move it away first\n',
    )
    expect(await readFile(join(project, 'mockServiceWorker.js'), 'utf8')).toBe('mine')
  })

  it('says when msw is missing', async () => {
    const { code, stderr } = await init(await createProject({ hasMsw: false }), 'public')
    expect([code, stderr]).toEqual([
      1,
      'petstore-mock: msw is not installed in this project: npm install --save-dev msw\n',
    ])
  })

  it('H16 says when it cannot write', async () => {
    const project = await createProject()
    await writeFile(join(project, 'public'), 'a file')
    const { code, stderr } = await init(project, 'public')
    expect(code).toBe(1)
    expect(stderr).toMatch(/^petstore-mock: cannot (read|write) the worker script: .*\n$/)
  })

  it.each([
    [[], 'init needs the folder that your web server serves files from: petstore-mock init public'],
    [['public', 'static'], 'init takes one argument, but got "static"'],
    [['public', '--port', '1'], 'init takes no --port'],
  ])('is called wrongly with %j', async (args, message) => {
    const { code, stderr } = await init(await createProject(), ...args)
    expect([code, stderr]).toEqual([2, `petstore-mock: ${message} (petstore-mock --help lists the flags)\n`])
  })
})
