import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { endCommands, spawnCommand, stop } from '../support/command.js'
import { root, run } from '../support/packed.js'

/* docs/server.md: the steps of the Containerfile in empty folders, one for each stage, because not every machine can build containers. */

type Instruction = readonly [name: string, rest: string]

const text = await readFile(join(root, 'Containerfile'), 'utf8')
const instructions = text
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line): Instruction => {
    const space = line.indexOf(' ')
    return [line.slice(0, space), line.slice(space + 1)]
  })
const valuesOf = (name: string) => instructions.filter(([each]) => each === name).map(([, rest]) => rest)

let machine: string

beforeAll(async () => {
  machine = await mkdtemp(join(tmpdir(), 'petstore-mock-container-'))
})

afterEach(endCommands)

afterAll(() => rm(machine, { recursive: true, force: true }))

it('has only the instructions that this test follows, and does not run as root', () => {
  const known = ['FROM', 'WORKDIR', 'COPY', 'RUN', 'USER', 'EXPOSE', 'ENTRYPOINT']
  expect(instructions.map(([name]) => name).filter((name) => !known.includes(name))).toEqual([])
  expect(valuesOf('USER')).toEqual(['node'])
  expect(valuesOf('EXPOSE')).toEqual(['4010'])
})

it('builds a server that responds, with nothing but the package', async () => {
  const stages = new Map<string, string>()
  let stage = ''
  let folder = ''
  for (const [name, rest] of instructions) {
    if (name === 'FROM') {
      stage = rest.split(' AS ')[1] ?? 'last'
      stages.set(stage, join(machine, stage))
    } else if (name === 'WORKDIR') {
      folder = join(stages.get(stage) ?? '', rest)
      await mkdir(folder, { recursive: true })
    } else if (name === 'RUN') {
      await run('bash', ['-c', rest], { cwd: folder })
    } else if (name === 'COPY') {
      const [, from, paths = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(rest) ?? []
      const [target = '', ...sources] = paths.split(' ').reverse()
      const origin = from === undefined ? root : (stages.get(from) ?? '')
      for (const source of sources) {
        const path = (await run('bash', ['-c', `ls -d ${join(origin, source)}`])).stdout.trim()
        await cp(path, join(folder, target === './' ? basename(path) : target), { recursive: true })
      }
    }
  }

  const [file = '', ...args] = JSON.parse(valuesOf('ENTRYPOINT')[0] ?? '[]') as string[]
  const server = spawnCommand([...args, '--port', '0', '--log-format', 'json'], {
    file: join(folder, file),
    cwd: folder,
  })
  const [, url = ''] = await server.printed(/"url":"([^"]+)"/)
  const local = url.replace('0.0.0.0', '127.0.0.1')
  expect((await fetch(`${local}/pets`)).status).toBe(200)
  expect((await fetch(`${local}/__admin/state`)).status).toBe(401)
  expect(await stop(server)).toMatchObject({ code: 0 })
})
