import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packInto, root, run } from '../support/packed.js'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
  const tarball = await packInto(folder)
  await writeFile(join(folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }')
  const install = ['install', '--silent', '--no-save', '--omit=dev', tarball]
  await run('npm', install, { cwd: folder })
}, 120_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

async function runScript(source: string): Promise<string> {
  await writeFile(join(folder, 'script.js'), source)
  const { stdout, stderr } = await run('node', ['script.js'], { cwd: folder })
  expect(stderr).toBe('')
  return stdout.trim()
}

it('installs nothing but itself', async () => {
  const { stdout } = await run('npm', ['ls', '--all', '--parseable'], { cwd: folder })
  expect(stdout.trim().split('\n')).toEqual([folder, join(folder, 'node_modules/petstore-mock')])
})

it('answers in memory, exact ids included', async () => {
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

it('generates another world from another seed, in the package as in the source', async () => {
  const output = await runScript(`
    import { createPetstore } from 'petstore-mock'
    const petstore = createPetstore({ seed: 7 })
    console.log(await (await petstore.fetch('/pets?limit=1')).text())
  `)
  const { createPetstore } = await import('../../src/index.js')
  expect(output).toBe(await (await createPetstore({ seed: 7 }).fetch('/pets?limit=1')).text())
})

it('serves from the library, and lets the process end after closing', async () => {
  const output = await runScript(`
    import { startServer } from 'petstore-mock/server'
    const server = await startServer({ port: 0 })
    const pets = await (await fetch(server.url + '/pets')).json()
    console.log(pets.length)
    await server.close()
  `)
  expect(output).toBe('20')
})

it('serves the control plane and the web pages', async () => {
  const output = await runScript(`
    import { startServer } from 'petstore-mock/server'
    const server = await startServer({ port: 0 })
    for (const path of ['/__admin/health', '/__admin/coverage', '/__admin/', '/__admin/assets/dashboard.js', '/docs',
      '/docs/assets/reference.js', '/docs/assets/swagger-ui.js']) {
      const response = await fetch(server.url + path)
      await response.arrayBuffer()
      console.log(response.status, path, response.headers.get('content-type'))
    }
    await server.close()
  `)
  expect(output.split('\n')).toEqual([
    '200 /__admin/health application/json',
    '200 /__admin/coverage application/json',
    '200 /__admin/ text/html; charset=utf-8',
    '200 /__admin/assets/dashboard.js text/javascript; charset=utf-8',
    '200 /docs text/html; charset=utf-8',
    '200 /docs/assets/reference.js text/javascript; charset=utf-8',
    '200 /docs/assets/swagger-ui.js text/javascript; charset=utf-8',
  ])
})

it('verifies a service, and prints the document', async () => {
  const output = await runScript(`
    import { execFile } from 'node:child_process'
    import { promisify } from 'node:util'
    import { startServer } from 'petstore-mock/server'
    const server = await startServer({ port: 0 })
    const { stdout } = await promisify(execFile)('node_modules/.bin/petstore-mock', ['verify', server.url])
    console.log(stdout.trim().split('\\n').at(-1))
    await server.close()
  `)
  expect(output).toMatch(/^\d+ passed, 0 failed, 0 skipped$/)
  const { stdout } = await run(join(folder, 'node_modules/.bin/petstore-mock'), ['spec'])
  expect(stdout).toBe(await readFile(join(root, 'spec/openapi.yaml'), 'utf8'))
})

it('has a reporter of coverage that loads without anything else', async () => {
  const output = await runScript(`
    import CoverageReporter from 'petstore-mock/vitest/reporter'
    console.log(typeof new CoverageReporter({ operations: 80 }).onTestRunEnd)
  `)
  expect(output).toBe('function')
})

it('installs a command that tells its version', async () => {
  const { stdout } = await run(join(folder, 'node_modules/.bin/petstore-mock'), ['--version'])
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  expect(stdout).toBe(`${version}\n`)
})

it('has types that a strict consumer compiles against, with no package of ours needed', async () => {
  await writeFile(
    join(folder, 'consumer.ts'),
    `
    import { createPetstore, MockError, type Petstore } from 'petstore-mock'
    import { startServer, type PetstoreServer } from 'petstore-mock/server'
    const petstore: Petstore = createPetstore({ seed: 7, rules: 'off' })
    const answer: Promise<Response> = petstore.fetch('/pets')
    export const server: Promise<PetstoreServer> = startServer({ port: 0 })
    export const used = [answer, MockError]
    // @ts-expect-error an option that does not exist
    createPetstore({ sede: 7 })
    `,
  )
  for (const [module, resolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ] as const) {
    const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', '--lib', 'es2023,dom']
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const args = [compiler, ...flags, '--module', module, '--moduleResolution', resolution, 'consumer.ts']
    await run('node', args, { cwd: folder }).catch((error: { stdout: string }) => {
      throw new Error(error.stdout)
    })
  }
})
