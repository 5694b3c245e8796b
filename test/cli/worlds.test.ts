import { mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { endCommands, type RunningCommand, runCommand, startCommand } from '../support/command.js'

vi.setConfig({ testTimeout: 120_000 })
afterEach(endCommands)

const folder = mkdtempSync(join(tmpdir(), 'worlds-'))
afterAll(() => rmSync(folder, { recursive: true }))

function fileOf(name: string, content: string): string {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}

async function start(args: readonly string[]): Promise<{ command: RunningCommand; url: string }> {
  const command = startCommand(['--port', '0', '--log-format', 'json', ...args])
  const [, url = ''] = await command.printed(/^\{"event":"ready","url":"([^"]+)".*\}\n/)
  return { command, url }
}

const textOf = async (address: string): Promise<string> => (await fetch(address)).text()

/** The names of all pets, which tell one world of a test from another. */
async function namesOf(url: string): Promise<string[]> {
  const pets = (await (await fetch(`${url}/pets`)).json()) as { name: string }[]
  return pets.map(({ name }) => name)
}

const worldOf = (name: string): string => JSON.stringify({ pets: [{ id: 1, name, category: { name: 'Dogs' } }] })

it('serves the world of a file, digit for digit, from JSON and from YAML', async () => {
  const json = '{"categories":[{"id":1,"name":"Dogs"}],"pets":[{"id":9223372036854775807,"name":"Rex","categoryId":1}]}'
  const yaml =
    'categories: [{ id: 1, name: Dogs }]\npets:\n  - id: 9223372036854775807\n    name: Rex\n    categoryId: 1\n'
  const [one, two] = await Promise.all([
    start(['--fixtures', fileOf('big.json', json)]),
    start(['--fixtures', fileOf('big.yaml', yaml)]),
  ])
  const pets = await textOf(`${one.url}/pets`)
  expect(pets).toContain('"id":9223372036854775807,')
  expect(await textOf(`${two.url}/pets`)).toBe(pets)
  expect(await textOf(`${two.url}/pets/9223372036854775807`)).toContain('"name":"Rex"')
})

it('lays the file over a scenario that is asked for', async () => {
  const file = fileOf('over.json', '{"pets":[{"id":1,"name":"Mine","categoryId":1}]}')
  const { url } = await start(['--fixtures', file, '--scenario', 'default'])
  expect(await textOf(`${url}/pets/1`)).toContain('"name":"Mine"')
  expect((await fetch(`${url}/pets/2`)).status).toBe(200)
})

it('H15 says in a line for each mistake where it is', async () => {
  const pets = [
    { id: 1, categoryId: 1 },
    { id: 'x', name: 'Bo', categoryId: 1 },
    { id: 3, name: 'Al', categoryId: 1, status: 'gone' },
  ]
  const orders = [{ id: 1, quantity: 'two' }, {}]
  const file = fileOf('mistakes.json', JSON.stringify({ categories: [{ id: 1, name: 'Dogs' }], pets, orders }))
  const { code, stdout, stderr } = await runCommand(['--port', '0', '--fixtures', file])
  expect({ code, stdout }).toStrictEqual({ code: 1, stdout: '' })
  const lines = stderr.trimEnd().split('\n')
  const pointers = ['/pets/0', '/pets/1/id', '/pets/2/status', '/orders/0/quantity', '/orders/1/id']
  expect(lines).toStrictEqual(pointers.map((pointer) => expect.stringContaining(`petstore-mock: ${file}: ${pointer}`)))
})

it('H13 H14 refuses a pet of no category and an id that is there twice, and names both', async () => {
  const categories = [{ id: 1, name: 'Dogs' }]
  const lost = fileOf('lost.json', JSON.stringify({ categories, pets: [{ id: 1, name: 'Rex', categoryId: 77 }] }))
  const rex = { id: 4711, name: 'Rex', categoryId: 1 }
  const twice = fileOf('twice.json', JSON.stringify({ categories, pets: [rex, rex] }))
  const outcomes = await Promise.all([lost, twice].map((file) => runCommand(['--port', '0', '--fixtures', file])))
  const mentioning = [/lost\.json: \/pets\/0\/categoryId .*77/, /twice\.json: \/pets\/1\/id .*4711/]
  for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
    expect({ code, stdout }).toStrictEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^petstore-mock: [^\n]+\n$/)
    expect(stderr).toMatch(mentioning[index] as RegExp)
  }
})

it('refuses a file that it cannot read in one line that names it', async () => {
  const huge = fileOf('huge.json', '')
  truncateSync(huge, 100_000_000)
  mkdirSync(join(folder, 'folder.json'))
  const files = [join(folder, 'missing.json'), join(folder, 'folder.json'), huge, fileOf('broken.yaml', 'pets: [')]
  const outcomes = await Promise.all(files.map((file) => runCommand(['--port', '0', '--fixtures', file])))
  for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
    expect({ code, stdout }).toStrictEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^petstore-mock: [^\n]+\n$/)
    expect(stderr).toContain(`${files[index]}: `)
  }
})

it('generates the world that serve has with the same flags, the same each time', async () => {
  const flags = ['--seed', '7', '--pets', '200', '--categories', '4']
  const [one, two] = await Promise.all([runCommand(['generate', ...flags]), runCommand(['generate', ...flags])])
  expect(one).toMatchObject({ code: 0, stderr: '' })
  expect(two).toStrictEqual(one)
  const [fromFile, fromFlags] = await Promise.all([
    start(['--fixtures', fileOf('generated.json', one.stdout)]),
    start(flags),
  ])
  for (const path of ['/pets?limit=100', '/pets?limit=100&offset=100', '/categories', '/orders?limit=100']) {
    const expected = await textOf(fromFlags.url + path)
    expect(await textOf(fromFile.url + path)).toBe(expected)
  }
})

it('ends well when the reader of a large world leaves early', async () => {
  const command = startCommand(['generate', '--pets', '30000'])
  await command.printed(/"pets": \[/)
  command.closeOutput()
  expect(await command.ended()).toMatchObject({ code: 0, signal: null, stderr: '' })
})

it('prints the whole of a large world into a pipe', async () => {
  const { code, stdout } = await runCommand(['generate', '--pets', '30000', '--orders', '10'])
  expect(code).toBe(0)
  expect((JSON.parse(stdout) as { pets: unknown[] }).pets).toHaveLength(30_000)
})

it('does not generate what it does not understand', async () => {
  const [flag, scenario, size] = await Promise.all([
    runCommand(['generate', '--port', '0']),
    runCommand(['generate', '--scenario', 'nope']),
    runCommand(['generate', '--scenario', 'empty', '--pets', '3']),
  ])
  for (const { code, stdout, stderr } of [flag, scenario, size]) {
    expect({ code, stdout }).toStrictEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^petstore-mock: [^\n]+\n$/)
  }
})

it('follows a watched file, keeps the old world while it is broken, and ends on SIGTERM', async () => {
  const file = fileOf('watched.json', worldOf('First'))
  const { command, url } = await start(['--fixtures', file, '--watch'])
  expect(await namesOf(url)).toStrictEqual(['First'])

  writeFileSync(file, worldOf('Second'))
  await command.printed(/"event":"reloaded"/)
  expect(await namesOf(url)).toStrictEqual(['Second'])

  writeFileSync(file, '{"pets": [')
  await command.complained(/"event":"not-reloaded".*line 1, column 11/)
  expect(await namesOf(url)).toStrictEqual(['Second'])
  writeFileSync(file, '{"pets": [{"id":1,"categoryId":5}]}')
  await command.complained(/"event":"not-reloaded".*\/pets\/0/)
  expect(await namesOf(url)).toStrictEqual(['Second'])

  // As editors save: a new file takes the place of the old one, which a watcher of the old one would not notice.
  for (const name of ['Third', 'Fourth']) {
    renameSync(fileOf('watched.json.new', worldOf(name)), file)
    await vi.waitUntil(async () => (await namesOf(url))[0] === name, { timeout: 30_000, interval: 100 })
  }
  command.kill('SIGTERM')
  expect(await command.ended()).toMatchObject({ code: 0, signal: null })
})

it('tells a human that the old world stays', async () => {
  const file = fileOf('told.yaml', 'pets: []\n')
  const command = startCommand(['--port', '0', '--quiet', '--fixtures', file, '--watch'])
  await command.printed(/is ready \(.*told\.yaml over scenario empty, seed 1\)/)
  rmSync(file)
  const [line] = await command.complained(/^.*\n/)
  expect(line).toBe(`petstore-mock: not reloaded, the old world stays: ${file}: there is no such file\n`)
  command.kill('SIGTERM')
  expect(await command.ended()).toMatchObject({ code: 0, signal: null, stderr: line })
})
