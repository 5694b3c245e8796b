import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { npm, PATIENCE, packInto, root } from '../support/packed.js'

/** How many tests there are in each example, since one that runs none passes too. */
const EXAMPLES = [
  { name: 'vitest', passed: /Tests +8 passed \(8\)/, scripts: ['types'] },
  { name: 'jest', passed: /Tests: +7 passed, 7 total/, scripts: [] },
  { name: 'node-test', passed: /[#ℹ] pass 6\n[#ℹ] fail 0/, scripts: [] },
]

/** What Node, msw or a runner say of something that was left behind or done wrong. */
const WARNINGS = /Warning:|\[MSW\]|did not exit|failed to exit|hanging|open handle/i

let folder: string
let tarball: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-mock-examples-'))
  tarball = await packInto(folder)
}, PATIENCE)

afterAll(() => rm(folder, { recursive: true, force: true }))

async function install(project: string): Promise<void> {
  const path = join(project, 'package.json')
  const manifest = await readFile(path, 'utf8')
  expect(manifest).toContain('"petstore-mock": "file:../.."')
  await writeFile(path, manifest.replace('file:../..', `file:${tarball}`))
  await npm(project, ['install', '--no-audit', '--no-fund', '--prefer-offline'])
}

/** The first fenced block of a Markdown text that holds another text. */
function findBlock(markdown: string, held: string): string {
  const blocks = [...markdown.matchAll(/^```\w*\n(.*?)^```$/gms)].map(([, code]) => code as string)
  const found = blocks.find((code) => code.includes(held))
  if (found === undefined) throw new Error(`there is no code block with ${held} in it`)
  return found
}

it.each(EXAMPLES)('runs the example for $name', { timeout: 2 * PATIENCE }, async ({ name, passed, scripts }) => {
  const project = join(folder, name)
  await cp(join(root, 'examples', name), project, {
    recursive: true,
    filter: (source) => !source.endsWith('node_modules'),
  })
  await install(project)
  const output = await npm(project, ['test'])
  expect(output).toMatch(passed)
  expect(output).not.toMatch(WARNINGS)
  for (const script of scripts) await npm(project, ['run', script])
})

it("runs the README's set-up for Node, pasted into an empty project", { timeout: 2 * PATIENCE }, async () => {
  const setup = findBlock(await readFile(join(root, 'README.md'), 'utf8'), "from 'petstore-mock/node'")
  const baseUrl = /baseUrl: '([^']+)'/.exec(setup)?.[1]
  const project = join(folder, 'readme')
  await mkdir(project)
  const { devDependencies, overrides } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const { msw, vitest } = devDependencies
  const manifest = {
    private: true,
    type: 'module',
    devDependencies: { msw, vitest, 'petstore-mock': 'file:../..' },
    overrides: { rolldown: overrides.rolldown },
  }
  await writeFile(join(project, 'package.json'), JSON.stringify(manifest, null, 2))
  await writeFile(
    join(project, 'pasted.test.ts'),
    `${setup}
    it('is answered by the pet store', async () => {
      const response = await fetch('${baseUrl}/pets')
      expect(response.headers.has('X-Petstore-Mock')).toBe(true)
      expect(petstore.journal.entries({ operation: 'listPets' })).toHaveLength(1)
    })
    `,
  )
  await install(project)
  const output = await npm(project, ['exec', '--', 'vitest', 'run', '--globals', '--testNamePattern', 'is answered'])
  expect(output).toMatch(/Tests +1 passed/)
  expect(output).not.toMatch(WARNINGS)
})
