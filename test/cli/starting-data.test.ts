import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { parseYaml } from '../../src/lib/yaml.js'
import {
  endCommands,
  type RunningCommand,
  readyEventOf,
  runCommand,
  spawnCommand,
  startCommand,
  stop,
} from '../support/command.js'
import { useFolder } from '../support/test-folder.js'

afterEach(endCommands)

const { folder, createFile } = useFolder()

const JSON_ON_ANY_PORT = ['--port', '0', '--log-format', 'json']

const urlOf = async (command: RunningCommand) => (await readyEventOf(command)).url

const start = (args: readonly string[]): Promise<string> => urlOf(startCommand([...JSON_ON_ANY_PORT, ...args]))

const textOf = async (url: string): Promise<string> => (await fetch(url)).text()

async function petNamesOf(url: string): Promise<string[]> {
  const pets = (await (await fetch(`${url}/pets`)).json()) as { name: string }[]
  return pets.map(({ name }) => name)
}

const fixtureWithPet = (name: string): string => JSON.stringify({ pets: [{ id: 1, name, category: { name: 'Dogs' } }] })

it('serves the data of a JSON or YAML file with exact ids', async () => {
  const json = '{"categories":[{"id":1,"name":"Dogs"}],"pets":[{"id":9223372036854775807,"name":"Rex","categoryId":1}]}'
  const yaml =
    'categories: [{ id: 1, name: Dogs }]\npets:\n  - id: 9223372036854775807\n    name: Rex\n    categoryId: 1\n'
  const fromJson = await start(['--fixtures', createFile('big.json', json)])
  const fromYaml = await start(['--fixtures', createFile('big.yaml', yaml)])
  const pets = await textOf(`${fromJson}/pets`)
  expect(pets).toContain('"id":9223372036854775807,')
  expect(await textOf(`${fromYaml}/pets`)).toBe(pets)
  expect(await textOf(`${fromYaml}/pets/9223372036854775807`)).toContain('"name":"Rex"')
})

it('merges the file over a scenario', async () => {
  const file = createFile('over.json', '{"pets":[{"id":1,"name":"Mine","categoryId":1}]}')
  const url = await start(['--fixtures', file, '--scenario', 'default'])
  expect(await textOf(`${url}/pets/1`)).toContain('"name":"Mine"')
  expect((await fetch(`${url}/pets/2`)).status).toBe(200)
})

it('H15 reports each mistake in a file on its own line', async () => {
  const pets = [
    { id: 1, categoryId: 1 },
    { id: 'x', name: 'Bo', categoryId: 1 },
    { id: 3, name: 'Al', categoryId: 1, status: 'gone' },
  ]
  const orders = [{ id: 1, quantity: 'two' }, {}]
  const file = createFile('mistakes.json', JSON.stringify({ categories: [{ id: 1, name: 'Dogs' }], pets, orders }))
  const { code, stdout, stderr } = await runCommand(['--port', '0', '--fixtures', file])
  expect({ code, stdout }).toStrictEqual({ code: 1, stdout: '' })
  const lines = stderr.trimEnd().split('\n')
  const pointers = ['/pets/0', '/pets/1/id', '/pets/2/status', '/orders/0/quantity', '/orders/1/id']
  expect(lines).toStrictEqual(
    pointers.map((pointer) => expect.stringContaining(`petstore-mock: ${file}:1: ${pointer}`)),
  )
})

const categories = [{ id: 1, name: 'Dogs' }]
const REX = { id: 4711, name: 'Rex', categoryId: 1 }

it.each<[title: string, fixture: object, message: RegExp]>([
  ['H13 an unknown category', { categories, pets: [{ ...REX, categoryId: 77 }] }, /\/pets\/0\/categoryId .*77/],
  ['H14 a duplicate id', { categories, pets: [REX, REX] }, /\/pets\/1\/id .*4711/],
])('%s is reported in one line', async (_, fixture, message) => {
  const file = createFile('invalid.json', JSON.stringify(fixture))
  const { code, stdout, stderr } = await runCommand(['--port', '0', '--fixtures', file])
  expect({ code, stdout }).toStrictEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^petstore-mock: \S+invalid\.json:1: [^\n]+\n$/)
  expect(stderr).toMatch(message)
})

it('reports in one line a file that it cannot read', async () => {
  const huge = createFile('huge.json', '')
  truncateSync(huge, 100_000_000)
  mkdirSync(join(folder, 'folder.json'))
  const files = [join(folder, 'missing.json'), join(folder, 'folder.json'), huge, createFile('broken.yaml', 'pets: [')]
  for (const file of files) {
    const { code, stdout, stderr } = await runCommand(['--port', '0', '--fixtures', file])
    expect({ code, stdout }).toStrictEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^petstore-mock: [^\n]+\n$/)
    expect(stderr).toContain(`${file}: `)
  }
})

it('generates the data that serve has with the same flags', async () => {
  const flags = ['--seed', '7', '--pets', '200', '--categories', '4']
  const generated = await runCommand(['generate', ...flags])
  expect(generated).toMatchObject({ code: 0, stderr: '' })
  expect(await runCommand(['generate', ...flags])).toStrictEqual(generated)
  const fromFile = await start(['--fixtures', createFile('generated.json', generated.stdout)])
  const fromFlags = await start(flags)
  for (const path of ['/pets?limit=100', '/pets?limit=100&offset=100', '/categories', '/store/orders?limit=100']) {
    expect(await textOf(fromFile + path)).toBe(await textOf(fromFlags + path))
  }
})

it('generates the same data as YAML', async () => {
  const flags = ['generate', '--pets', '20']
  const [json, yaml] = [await runCommand(flags), await runCommand([...flags, '--format', 'yaml'])]
  expect(yaml.stdout).toMatch(/^categories:\n {2}- \{ id: 1, name: "/m)
  expect(parseYaml(yaml.stdout)).toEqual(JSON.parse(json.stdout))
})

const MORE_THAN_A_PIPE_HOLDS = ['--pets', '5000', '--orders', '10']

it('exits with 1 when the reader of generated data closes the pipe', async () => {
  const command = spawnCommand(['generate', ...MORE_THAN_A_PIPE_HOLDS])
  await command.printed(/"pets": \[/)
  command.child.stdout?.destroy()
  expect(await command.ended()).toMatchObject({ code: 1, signal: null, stderr: '' })
})

it('prints all generated data into a pipe', async () => {
  const { code, stdout } = await spawnCommand(['generate', ...MORE_THAN_A_PIPE_HOLDS]).ended()
  expect(code).toBe(0)
  expect((JSON.parse(stdout) as { pets: unknown[] }).pets).toHaveLength(5000)
})

it('reloads a watched file, keeps the data while the file is invalid, and exits on SIGTERM', async () => {
  const file = createFile('watched.json', fixtureWithPet('First'))
  const command = spawnCommand([...JSON_ON_ANY_PORT, '--fixtures', file, '--watch'])
  const url = await urlOf(command)
  expect(await petNamesOf(url)).toStrictEqual(['First'])

  writeFileSync(file, fixtureWithPet('Second'))
  await command.printed(/"event":"reloaded"/)
  expect(await petNamesOf(url)).toStrictEqual(['Second'])

  writeFileSync(file, '{"pets": [')
  await command.complained(/"event":"not-reloaded".*line 1, column 11/)
  expect(await petNamesOf(url)).toStrictEqual(['Second'])
  writeFileSync(file, '{"pets": [{"id":1,"categoryId":5}]}')
  await command.complained(/"event":"not-reloaded".*\/pets\/0/)
  expect(await petNamesOf(url)).toStrictEqual(['Second'])

  // Editors replace the file, and a watcher of the old file would not notice.
  for (const name of ['Third', 'Fourth']) {
    renameSync(createFile('watched.json.new', fixtureWithPet(name)), file)
    await vi.waitUntil(async () => (await petNamesOf(url))[0] === name, { timeout: 30_000, interval: 50 })
  }
  expect(await stop(command)).toMatchObject({ code: 0, signal: null })
})

it('reports for people that a file was reloaded or not', async () => {
  const file = createFile('reported.yaml', 'pets: []\n')
  const command = startCommand(['--port', '0', '--fixtures', file, '--watch'])
  await command.printed(/is ready \(.*reported\.yaml over scenario empty, seed 1\)/)
  writeFileSync(file, 'pets: []\norders: []\n')
  await command.printed(/^Reloaded \S+reported\.yaml and reset the data\.\n/m)
  rmSync(file)
  const [line] = await command.complained(/^.*\n/)
  expect(line).toBe(`petstore-mock: Not reloaded, the data is unchanged. ${file}: File not found.\n`)
  expect(await stop(command)).toMatchObject({ code: 0, signal: null, stderr: line })
})

it('reloads a file in a folder that is replaced, and one behind a symbolic link', async () => {
  const create = (name: string, pet: string): string => {
    mkdirSync(join(folder, name))
    return createFile(join(name, 'data.json'), fixtureWithPet(pet))
  }
  const inFolder = create('replaced', 'First')
  const target = create('target', 'First')
  const link = join(folder, 'link.json')
  symlinkSync(target, link)
  const [one, other] = [await start(['--fixtures', inFolder, '--watch']), await start(['--fixtures', link, '--watch'])]
  const expectPet = (url: string, name: string) =>
    vi.waitUntil(async () => (await petNamesOf(url))[0] === name, { timeout: 30_000, interval: 50 })

  renameSync(join(folder, 'replaced'), join(folder, 'before'))
  create('replaced', 'Second')
  await expectPet(one, 'Second')
  writeFileSync(inFolder, fixtureWithPet('Third'))
  await expectPet(one, 'Third')

  writeFileSync(target, fixtureWithPet('Second'))
  await expectPet(other, 'Second')
  symlinkSync(create('elsewhere', 'Third'), `${link}.new`)
  renameSync(`${link}.new`, link)
  await expectPet(other, 'Third')
})
