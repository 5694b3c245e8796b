import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { installPacked } from '../support/installed.js'
import { type Launcher, launcherOf, NODE, RUNTIMES, runToEnd, serve } from '../support/runtimes.js'

/** Commands that end by themselves. */
const COMMANDS: readonly (readonly string[])[] = [
  ['--help'],
  ['spec'],
  ['generate', '--pets', '30', '--seed', '5'],
  ['init', 'public'],
  ['--sed', '5'],
  ['--port', '70000'],
  ['--fixtures', 'missing.json'],
]

const TIMES = /\d+(?:\.\d+)? m?s\b/g

/** What the commands print on one runtime. */
async function tryOn(launcher: Launcher) {
  const { folder } = await installPacked()
  await mkdir(join(folder, 'node_modules/msw'))
  await writeFile(join(folder, 'node_modules/msw/mockServiceWorker.js'), "const INTEGRITY_CHECKSUM = 'made up'")
  const program = join(folder, 'node_modules/petstore-mock/dist/cli.js')
  const commands = []
  for (const args of COMMANDS) commands.push([...args, await runToEnd([...launcher, program, ...args], folder)])
  const server = await serve([...launcher, program], folder)
  const verified = await runToEnd([...launcher, program, 'verify', server.url], folder)
  await server.stop()
  return {
    commands,
    verified: { ...verified, stdout: verified.stdout.replaceAll(server.url, 'URL').replaceAll(TIMES, 'some time') },
    worker: await readFile(join(folder, 'public/mockServiceWorker.js'), 'utf8'),
  }
}

let onNode: Awaited<ReturnType<typeof tryOn>>

beforeAll(async () => {
  onNode = await tryOn(NODE)
  expect(onNode.verified).toMatchObject({ code: 0, stderr: '' })
})

it.each(RUNTIMES)('$name prints the same as Node for every command, with the same exit code', async (runtime) => {
  expect(await tryOn(launcherOf(runtime))).toEqual(onNode)
})
