import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Outcome, runCommand } from '../support/command.js'
import { expectFailure } from '../support/expect-failure.js'

const SCRIPT = await readFile(createRequire(import.meta.url).resolve('msw/mockServiceWorker.js'), 'utf8')

async function createProject({ hasMsw = true } = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-init-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  if (hasMsw) {
    await mkdir(join(folder, 'node_modules'))
    await symlink(join(process.cwd(), 'node_modules/msw'), join(folder, 'node_modules/msw'))
  }
  return folder
}

function init(project: string, ...args: string[]): Promise<Outcome> {
  return runCommand(['init', ...args], {}, project)
}

describe('petstore-mock init', () => {
  it('copies the worker script of the project’s msw and explains the next steps', async () => {
    const project = await createProject()
    const { code, stdout, stderr } = await init(project, 'public')
    expect([code, stderr]).toEqual([0, ''])
    expect(await readFile(join(project, 'public/mockServiceWorker.js'), 'utf8')).toBe(SCRIPT)
    expect(stdout.split('\n')[0]).toBe(
      'Created public/mockServiceWorker.js. The folder is new. Check that your web server serves it.',
    )
    expect(stdout).toContain("import('petstore-mock/browser')")
  })

  it('updates an older script', async () => {
    const project = await createProject()
    await mkdir(join(project, 'public'))
    const file = join(project, 'public/mockServiceWorker.js')
    await writeFile(file, "const INTEGRITY_CHECKSUM = 'old'")
    expect((await init(project, 'public')).stdout).toMatch(/^Updated public\/mockServiceWorker\.js\.\n/)
    expect(await readFile(file, 'utf8')).toBe(SCRIPT)
    expect((await init(project, 'public')).stdout).toMatch(/^public\/mockServiceWorker\.js is up to date\.\n/)
  })

  it('does not overwrite another file', async () => {
    const project = await createProject()
    await writeFile(join(project, 'mockServiceWorker.js'), 'mine')
    const { code, stdout, stderr } = await init(project, '.')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toBe(
      'petstore-mock: mockServiceWorker.js exists and is not a worker script of msw. Move it away first.\n',
    )
    expect(await readFile(join(project, 'mockServiceWorker.js'), 'utf8')).toBe('mine')
  })

  it.each([
    ['to a worker script', `${SCRIPT}// older`],
    ['that leads nowhere', undefined],
  ])('does not follow a link %s', async (_, content) => {
    const project = await createProject()
    const elsewhere = join(project, 'elsewhere.js')
    if (content !== undefined) await writeFile(elsewhere, content)
    await symlink(elsewhere, join(project, 'mockServiceWorker.js'))
    expectFailure(await init(project, '.'), 'mockServiceWorker.js is a symbolic link. Remove it first.')
    expect(await readFile(elsewhere, 'utf8').catch(() => undefined)).toBe(content)
  })

  it('reports that msw is missing', async () => {
    const { code, stderr } = await init(await createProject({ hasMsw: false }), 'public')
    expect([code, stderr]).toEqual([
      1,
      'petstore-mock: msw is not installed in this project. Run: npm install --save-dev msw\n',
    ])
  })

  it('H16 reports that it cannot write', async () => {
    const project = await createProject()
    await writeFile(join(project, 'public'), 'a file')
    const { code, stderr } = await init(project, 'public')
    expect(code).toBe(1)
    expect(stderr).toMatch(/^petstore-mock: Cannot (read|write) the worker script: .*\n$/)
  })
})
