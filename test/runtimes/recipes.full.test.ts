import { readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { BUN, DENO, programOf } from '../../scripts/install-runtimes.js'
import { installExample, runQuietly } from '../support/examples.js'
import { installPacked } from '../support/installed.js'
import { root } from '../support/packed.js'
import { environment, type Launcher, runToEnd, serve } from '../support/runtimes.js'

const [bun, deno] = [programOf(BUN), programOf(DENO)]

/** What docs/runtimes.md recommends. */
const SERVE_PERMISSIONS = ['--allow-env', '--allow-net=127.0.0.1', '--allow-read=node_modules']

/** The permissions of other commands, as docs/runtimes.md lists them. */
const COMMANDS = [
  { command: 'generate', permissions: ['--allow-env'] },
  { command: 'spec', permissions: ['--allow-env'] },
  { command: 'init public', permissions: ['--allow-env', '--allow-read=node_modules,public', '--allow-write=public'] },
  { command: 'verify http://127.0.0.1:8080', permissions: ['--allow-env', '--allow-net=127.0.0.1:8080'] },
]
const FIXTURE_PERMISSIONS = ['--allow-env', '--allow-net=127.0.0.1', '--allow-read=node_modules,pets.json']

let project: string

beforeAll(async () => {
  project = (await installPacked()).folder
  await symlink(join(root, 'node_modules/msw'), join(project, 'node_modules/msw'))
})

/** The statuses of an operation, the admin API and both pages. */
async function tryServer(launcher: Launcher): Promise<number[]> {
  const server = await serve(launcher, project)
  const paths = ['/pets/1', '/__admin/journal', '/__admin/', '/docs']
  const statuses = []
  for (const path of paths) statuses.push((await fetch(server.url + path)).status)
  expect(await server.stop()).toEqual({ code: 0, stderr: '' })
  return statuses
}

it('documents the commands that are executed here', async () => {
  const page = await readFile(join(root, 'docs/runtimes.md'), 'utf8')
  const commands = ['bunx --bun petstore-mock', `deno run ${SERVE_PERMISSIONS.join(' ')} npm:petstore-mock`]
  const tests = ['bun', 'deno'].map((name) => readFile(join(root, 'examples', name, 'package.json'), 'utf8'))
  for (const manifest of await Promise.all(tests)) commands.push(JSON.parse(manifest).scripts.test)
  for (const command of commands) expect(page).toContain(`\n${command}\n`)
  const rows = [{ command: '--fixtures pets.json', permissions: FIXTURE_PERMISSIONS }, ...COMMANDS]
  for (const { command, permissions } of rows) {
    expect(page).toContain(`\n| \`${command}\` | \`${permissions.join(' ')}\` |\n`)
  }
})

it('serves with bunx', async () => {
  expect(await tryServer([bun, 'x', '--bun', 'petstore-mock'])).toEqual([200, 200, 200, 200])
})

it.each([
  ['Bun', [bun, 'x', '--bun', 'petstore-mock']],
  ['Deno', [deno, 'run', '--allow-all', 'npm:petstore-mock']],
] as const)('says that HTTPS requires Node, on %s', async (_, command) => {
  const { code, stderr } = await runToEnd([...command, '--https', '--port', '0'], project)
  expect([code, stderr.trim()]).toEqual([2, expect.stringContaining('Option "https" requires Node')])
})

it('serves with deno run and three permissions', async () => {
  expect(await tryServer([deno, 'run', ...SERVE_PERMISSIONS, 'npm:petstore-mock'])).toEqual([200, 200, 200, 200])
})

it('serves everything but the pages without permission to read', async () => {
  const [env, net] = SERVE_PERMISSIONS as [string, string]
  expect(await tryServer([deno, 'run', env, net, 'npm:petstore-mock'])).toEqual([200, 200, 500, 500])
})

it.each([
  [['--allow-net'], /Requires env access/],
  [['--allow-env'], /Requires net access/],
])('says first which permission is missing with only %s', async (permissions, message) => {
  const { code, stderr } = await runToEnd([deno, 'run', ...permissions, 'npm:petstore-mock', '--port', '0'], project)
  expect([code, stderr.split('\n')[0]]).toEqual([1, expect.stringMatching(message)])
})

it.each(COMMANDS)('needs every listed permission, and no other, for $command', async ({ command, permissions }) => {
  const service = await serve([process.execPath, 'node_modules/petstore-mock/dist/cli.js'], project)
  onTestFinished(async () => void (await service.stop()))
  const toActual = (word: string) =>
    word
      .replace('127.0.0.1:8080', new URL(service.url).host)
      // msw is a link here.
      .replace('=node_modules', `=node_modules,${join(root, 'node_modules/msw')}`)
  const runWith = async (allowed: readonly string[]) => {
    await rm(join(project, 'public'), { recursive: true, force: true })
    const args = [...allowed, 'npm:petstore-mock', ...command.split(' ')]
    return runToEnd([deno, 'run', ...args.map(toActual)], project)
  }

  expect(await runWith(permissions)).toMatchObject({ code: 0, stderr: '' })
  for (const missing of permissions) {
    const { code, stderr } = await runWith(permissions.filter((permission) => permission !== missing))
    const [, name] = /^--allow-(\w+)/.exec(missing) ?? []
    expect([code, stderr.split('\n')[0]]).toEqual([1, expect.stringContaining(`Requires ${name} access`)])
  }
})

it('needs permission to read a fixture file', async () => {
  await writeFile(join(project, 'pets.json'), '{ "categories": [{ "id": 1, "name": "Dogs" }] }')
  const command = (permissions: string[]): Launcher => {
    return [deno, 'run', ...permissions, 'npm:petstore-mock', '--fixtures', 'pets.json']
  }
  const server = await serve(command(FIXTURE_PERMISSIONS), project)
  expect(await (await fetch(`${server.url}/categories`)).json()).toMatchObject([{ name: 'Dogs' }])
  expect(await server.stop()).toEqual({ code: 0, stderr: '' })
  const { code, stderr } = await runToEnd(command(SERVE_PERMISSIONS), project)
  expect([code, stderr.split('\n')[0]]).toEqual([1, expect.stringContaining('Requires read access to "pets.json"')])
})

it('needs no permission in memory', async () => {
  const script = `
    import { createPetstore } from 'petstore-mock'
    console.log((await createPetstore({ seed: 3, pets: 5 }).fetch('/pets')).status)`
  await writeFile(join(project, 'in-memory.js'), script)
  expect(await runToEnd([deno, 'run', 'in-memory.js'], project)).toEqual({ code: 0, stdout: '200\n', stderr: '' })
})

it.each([
  { name: 'bun', program: bun, passed: / 4 pass\n 0 fail/ },
  { name: 'deno', program: deno, passed: /ok \| 4 passed \| 0 failed/ },
])('runs the example for $name', async ({ name, program, passed }) => {
  const folder = await installExample(name)
  const variables = { ...environment, PATH: `${dirname(program)}:${process.env.PATH}` }
  expect(await runQuietly(folder, ['test'], variables)).toMatch(passed)
})
