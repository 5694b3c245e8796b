/**
 * Runs the packed package, installed in an empty folder, on every supported version of Node: it must install without a
 * warning, the command must start and respond, every adapter must work, the same seed must give the same bytes, and Node must
 * not warn about deprecated calls.
 * Usage, after a build: `npm run node-versions`, optionally with versions. Downloads each Node, and msw once.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createMock, createPetstore } from '../src/index.js'
import { document } from '../test/support/library-document.js'
import { packInto } from '../test/support/packed.js'
import { installNode } from './install-node.js'

/** The lowest version that `engines` allows, then the newest of each major version. */
const VERSIONS = ['20.19.0', '22', '24', '26']

const run = promisify(execFile)
const root = fileURLToPath(new URL('../', import.meta.url))

/** Deprecated calls throw, and warnings have a stack trace. */
const STRICT = ['--throw-deprecation', '--trace-warnings']

/** The data of a seed, and a search that could depend on the language. */
const SAME_BYTES = ['/__admin/state', '/pets?sort=name&limit=100&name=I']
const OPTIONS = { seed: 7, pets: 1000 }
/** Its records are generated from the document alone. */
const DOCUMENT = { document, seed: 7, sizes: { books: 200 } }

/** Uses every adapter that needs only Node; those for the browser and vitest have their own tests. */
const SCRIPT = `
  import assert from 'node:assert/strict'
  import { readFileSync } from 'node:fs'
  import { createMock, createPetstore } from 'petstore-mock'
  import { setupPetstore } from 'petstore-mock/node'
  import { startServer } from 'petstore-mock/server'
  import CoverageReporter from 'petstore-mock/vitest/reporter'
  const expect200 = ({ status, url }) => { if (status !== 200) throw new Error(url + ' returned ' + status) }
  for (const [path, text] of JSON.parse(readFileSync('expected.json', 'utf8'))) {
    assert.equal(await (await createPetstore(${JSON.stringify(OPTIONS)}).fetch(path)).text(), text)
  }
  const { options, text } = JSON.parse(readFileSync('expected-document.json', 'utf8'))
  const mock = createMock(options)
  await mock.ready
  assert.equal(await (await mock.fetch('/__admin/state')).text(), text)
  const server = await startServer({ port: 0, scenario: 'big-ids' })
  for (const path of ['/pets', '/__admin/health', '/__admin/', '/docs']) expect200(await fetch(server.url + path))
  await server.close()
  const petstore = setupPetstore({ baseUrl: 'http://pets.test' })
  petstore.listen()
  expect200(await fetch('http://pets.test/pets'))
  petstore.close()
  new CoverageReporter({})
`

const petstore = createPetstore(OPTIONS)
const expected = await Promise.all(SAME_BYTES.map(async (path) => [path, await (await petstore.fetch(path)).text()]))

const mock = createMock(DOCUMENT)
await mock.ready
const expectedOfDocument = { options: DOCUMENT, text: await (await mock.fetch('/__admin/state')).text() }

const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-nodes-'))
try {
  const tarball = await packInto(folder)
  const asked = process.argv.slice(2)
  let failures = 0
  for (const version of asked.length > 0 ? asked : VERSIONS) {
    const started = performance.now()
    const problem = await tryOn(version, tarball).catch(describe)
    failures += problem === undefined ? 0 : 1
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`Node ${version.padEnd(8)} ${problem === undefined ? 'fine' : 'FAILED'} (${seconds} s)`)
    if (problem !== undefined) console.error(problem.replaceAll(/^/gm, '  '))
  }
  process.exitCode = failures > 0 ? 1 : 0
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** Returns the problem, if there is one. */
async function tryOn(version: string, tarball: string): Promise<string | undefined> {
  const place = join(folder, version)
  await mkdir(place)
  const node = await installNode(version, await mkdtemp(join(place, 'node-')))
  const project = join(place, 'project')
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  await writeFile(join(place, 'npmrc'), '')
  // npm runs on the same Node, as it would for a user who has only that version.
  const env = {
    ...Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(?:npm_|PETSTORE_|NODE_OPTIONS)/i.test(name)),
    ),
    PATH: `${dirname(node)}:${process.env.PATH}`,
    NO_COLOR: '1',
  }
  const offline = { ...env, NPM_CONFIG_USERCONFIG: join(place, 'npmrc') }
  const installed = await run('npm', ['install', '--offline', '--no-audit', tarball], { cwd: project, env: offline })
  if (/warn/i.test(installed.stdout + installed.stderr)) return `npm install printed a warning: ${installed.stderr}`
  const command = await serveOnce(node, project, offline)
  if (command !== undefined) return command
  const { devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  await run('npm', ['install', ...quiet, `msw@${devDependencies.msw}`], { cwd: project, env: { ...process.env } })
  await writeFile(join(project, 'script.js'), SCRIPT)
  await writeFile(join(project, 'expected.json'), JSON.stringify(expected))
  await writeFile(join(project, 'expected-document.json'), JSON.stringify(expectedOfDocument))
  const { stderr } = await run(node, [...STRICT, 'script.js'], { cwd: project, env })
  const [fromMsw, ours] = sortWarnings(stderr)
  for (const warning of fromMsw) console.log(`  msw ${devDependencies.msw} itself: ${warning.split('\n')[0]}`)
  return ours.length === 0 ? undefined : `An adapter causes warnings: ${ours.join('\n')}`
}

/** Separates the warnings that msw causes when it is loaded, which we cannot fix, from all others. */
function sortWarnings(text: string): [fromMsw: string[], ours: string[]] {
  const warnings = text.split(/^(?=\(node:\d+\))/m).filter((warning) => warning.trim() !== '')
  // Frames without a file are Node's own.
  const originOf = (warning: string) => /\(?file:\/\/(\S+)/.exec(warning)?.[1] ?? ''
  const isFromMsw = (warning: string) => originOf(warning).includes('/node_modules/msw/')
  return [warnings.filter(isFromMsw), warnings.filter((warning) => !isFromMsw(warning))]
}

/** Starts the command, sends one request and stops it. */
async function serveOnce(node: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const main = join(cwd, 'node_modules/petstore-mock/dist/cli.js')
  const child = spawn(node, [...STRICT, main, '--port', '0', '--log-format', 'json'], { cwd, env })
  let errorOutput = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorOutput += text
  })
  const ended = once(child, 'close')
  const ready = await Promise.race([once(child.stdout.setEncoding('utf8'), 'data'), ended])
  try {
    const { url } = JSON.parse(String(ready[0]).split('\n')[0] as string)
    const { status } = await fetch(`${url}/pets`)
    if (status !== 200) return `The command returned ${status}.`
  } catch {
    return `The command did not start: ${errorOutput}`
  } finally {
    child.kill('SIGTERM')
  }
  const [code] = await ended
  if (errorOutput !== '') return `The command wrote to stderr: ${errorOutput}`
  return code === 0 ? undefined : `The command exited with ${code}.`
}

function describe(error: unknown): string {
  const { message, stderr = '' } = error as Error & { stderr?: string }
  return `${message}\n${stderr}`.trim()
}
