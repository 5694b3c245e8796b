import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { type Installed, installPacked } from '../support/installed.js'
import { root, run } from '../support/packed.js'

const MANIFEST = 'node_modules/petstore-mock/package.json'

let installed: Installed

beforeAll(async () => {
  installed = await installPacked()
})

const runScript = (source: string) => installed.runScript(source)

it('installs without warnings and without install scripts', async () => {
  expect(installed.output).toMatch(/^\nadded 1 package in [\d.]+m?s\n$/)
  const { scripts = {} } = JSON.parse(await readFile(join(installed.folder, MANIFEST), 'utf8'))
  // npm warns of each, of `prepare` too: what a clone generates, it generates in `dependencies`.
  expect(Object.keys(scripts).filter((name) => /^(?:(?:pre|post)?install|prepare)$/.test(name))).toStrictEqual([])
})

it('names the line of a syntax error in a service file', async () => {
  await writeFile(join(installed.folder, 'broken.service.js'), '\nexport default {\n  errors: : 1\n}')
  const problem = "broken.service.js: Cannot be imported: Unexpected token ':' (broken.service.js:3)"
  await expect(installed.command('--service', 'broken.service.js')).rejects.toMatchObject({
    stderr: `petstore-mock: ${problem}\n`,
  })
})

it('runs with npx in the folder, with an empty standard error', async () => {
  const { folder, env } = installed
  const child = spawn('npx', ['petstore-mock', '--port', '0', '--log-format', 'json'], {
    cwd: folder,
    env,
    detached: true,
  })
  onTestFinished(() => void process.kill(-(child.pid as number), 'SIGKILL'))
  const [line = '', error] = await Promise.race([
    once(child.stdout.setEncoding('utf8'), 'data').then(([text]) => [String(text), '']),
    once(child.stderr.setEncoding('utf8'), 'data').then(([text]) => ['', String(text)]),
  ])
  expect(error).toBe('')
  const { url } = JSON.parse(line.split('\n')[0] as string)
  const response = await fetch(`${url}/pets?limit=1`)
  expect({ status: response.status, pets: await response.json() }).toMatchObject({ status: 200, pets: [{ id: 1 }] })
})

it('has every command', async () => {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const commands = [
    ['--version', new RegExp(`^${version}\n$`)],
    ['--help', /^A mock server for the Pet Store API, and for any OpenAPI document/],
    ['serve --help', /^Usage: petstore-mock \[serve\]/],
    ['init --help', /^Usage: petstore-mock init/],
    ['generate --pets 2 --seed 5', /^\{\n.*"pets"/s],
    ['spec', /^openapi: 3/],
    ['spec --format json', /^\{\n {2}"openapi": "3/],
  ] as const
  for (const [args, expected] of commands) {
    const { stdout, stderr } = await installed.command(...args.split(' '))
    expect(stdout, args).toMatch(expected)
    expect(stderr, args).toBe('')
  }
})

it('exports the OpenAPI document and the schemas of files', async () => {
  for (const file of ['openapi.yaml', 'fixture.schema.json', 'reproduction.schema.json']) {
    const path = await runScript(`import { fileURLToPath } from 'node:url'
      console.log(fileURLToPath(import.meta.resolve('petstore-mock/${file}')))`)
    expect(await readFile(path, 'utf8')).toBe(await readFile(join(root, 'spec', file), 'utf8'))
  }
})

const MAX_BYTES = 16.5e6

it('contains only the necessary files, and is not large', async () => {
  const folder = join(installed.folder, 'node_modules/petstore-mock')
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const names = files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
  const places = new Set(names.map((name) => name.split(sep)[0]))
  const texts = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'llms.txt', 'package.json']
  expect([...places].sort()).toStrictEqual([...texts, 'dist', 'docs', 'spec'].sort())
  expect(names.filter((name) => /\.map$|\.test\.|(?<!\.d)\.tsx?$/.test(name))).toStrictEqual([])
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES)
})

it('responds in memory, with exact ids', async () => {
  const output = await runScript(`
    import { createPetstore } from 'petstore-mock'
    const petstore = createPetstore({ fixtures: {
      categories: [{ id: 1, name: 'Dogs' }],
      pets: [{ id: '9223372036854775807', name: 'Rex', categoryId: 1 }],
    } })
    const response = await petstore.fetch('/pets/9223372036854775807')
    console.log(response.status, await response.text())
  `)
  expect(output).toBe('200 {"id":9223372036854775807,"name":"Rex","categoryId":1,"status":"available"}')
})

it('serves the API, the admin API and the web pages, and the process exits after closing the server', async () => {
  const output = await runScript(`
    import { startServer } from 'petstore-mock/server'
    const server = await startServer({ port: 0 })
    for (const path of ['/pets', '/__admin/health', '/__admin/coverage', '/__admin/', '/__admin/assets/dashboard.js', '/docs',
      '/docs/assets/reference.js', '/docs/assets/swagger-ui.js']) {
      const response = await fetch(server.url + path)
      await response.arrayBuffer()
      console.log(response.status, path, response.headers.get('content-type'))
    }
    await server.close()
  `)
  expect(output.split('\n')).toEqual([
    '200 /pets application/json',
    '200 /__admin/health application/json',
    '200 /__admin/coverage application/json',
    '200 /__admin/ text/html; charset=utf-8',
    '200 /__admin/assets/dashboard.js text/javascript; charset=utf-8',
    '200 /docs text/html; charset=utf-8',
    '200 /docs/assets/reference.js text/javascript; charset=utf-8',
    '200 /docs/assets/swagger-ui.js text/javascript; charset=utf-8',
  ])
})

it('has a coverage reporter that loads without other packages', async () => {
  const output = await runScript(`
    import CoverageReporter from 'petstore-mock/vitest/reporter'
    console.log(typeof new CoverageReporter({ operations: 80 }).onTestRunEnd)
  `)
  expect(output).toBe('function')
})

it('has types that compile in strict mode, without other packages', async () => {
  await writeFile(
    join(installed.folder, 'consumer.ts'),
    `
    import { createPetstore, MockError, type Petstore } from 'petstore-mock'
    import type { components, operations, paths } from 'petstore-mock'
    import { connect, type PetstoreClient } from 'petstore-mock/client'
    import { startServer, type PetstoreServer } from 'petstore-mock/server'
    const client: PetstoreClient = connect('http://127.0.0.1:4010', { sandbox: 'a' })
    export const pet: Promise<components['schemas']['Pet']> = client.data.pets.create({ name: 'Rex' })
    export type Shapes = [paths['/pets']['get'], operations['listPets']]
    // @ts-expect-error a function cannot be sent
    client.override('getPet', () => ({ status: 500 }))
    const petstore: Petstore = createPetstore({ seed: 7, rules: 'off' })
    const answer: Promise<Response> = petstore.fetch('/pets')
    export const server: Promise<PetstoreServer> = startServer({ port: 0 })
    export const used = [answer, MockError]
    // @ts-expect-error an option that does not exist
    createPetstore({ sede: 7 })
    `,
  )
  const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', '--lib', 'es2023,dom']
  // Checks the types of the package, but not those of TypeScript itself.
  const args = [...flags, '--skipDefaultLibCheck', '--module', 'nodenext', 'consumer.ts']
  const compiler = join(root, 'node_modules/typescript-7/bin/tsc')
  await run('node', [compiler, ...args], { cwd: installed.folder }).catch((error: { stdout: string }) => {
    throw new Error(error.stdout)
  })
})
