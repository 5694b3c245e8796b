import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runQuietly, useWorkshop } from '../support/examples-project.js'
import { PATIENCE, root } from '../support/packed.js'

/** How many tests there are in each example, since one that runs none passes too. */
const EXAMPLES = [
  { name: 'vitest', passed: /Tests +8 passed \(8\)/, scripts: ['types'] },
  { name: 'jest', passed: /Tests: +7 passed, 7 total/, scripts: [] },
  { name: 'node-test', passed: /[#ℹ] pass 6\n[#ℹ] fail 0/, scripts: [] },
]

const workshop = useWorkshop()

/** The first fenced block of a Markdown text that holds another text. */
function findBlock(markdown: string, held: string): string {
  const blocks = [...markdown.matchAll(/^```\w*\n(.*?)^```$/gms)].map(([, code]) => code as string)
  const found = blocks.find((code) => code.includes(held))
  if (found === undefined) throw new Error(`there is no code block with ${held} in it`)
  return found
}

it.each(EXAMPLES)('runs the example for $name', { timeout: 2 * PATIENCE }, async ({ name, passed, scripts }) => {
  const project = await workshop.installExample(name)
  expect(await runQuietly(project, ['test'])).toMatch(passed)
  for (const script of scripts) await runQuietly(project, ['run', script])
})

it("runs the README's set-up for Node, pasted into an empty project", { timeout: 2 * PATIENCE }, async () => {
  const setup = findBlock(await readFile(join(root, 'README.md'), 'utf8'), "from 'petstore-mock/node'")
  const baseUrl = /baseUrl: '([^']+)'/.exec(setup)?.[1]
  const project = join(workshop.folder, 'readme')
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
  await workshop.install(project)
  const command = ['exec', '--', 'vitest', 'run', '--globals', '--testNamePattern', 'is answered']
  expect(await runQuietly(project, command)).toMatch(/Tests +1 passed/)
})
