import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Block, kindOf } from './docs-blocks.js'
import { installPacked } from './installed.js'
import { root } from './packed.js'

/** The folder of a page in the project, for its files and commands. */
export const folderOf = ({ page }: Pick<Block, 'page'>): string => `pages/${page.replaceAll(/\W+/g, '-')}`

/** The code under test of docs/unit-tests.md, which all pages use. */
const CODE_UNDER_TEST = 'src/orders.ts'

/** What pages call the OpenAPI document of their reader; here it is that of the Pet Store. */
const READERS_DOCUMENT = 'openapi.yaml'

/** The packages of this repository that the blocks use besides our own. */
const LINKED = ['msw', 'vitest', 'vite', 'playwright', '@playwright/test', '@types/node']

/** Creates a project with the packed package and the files that the blocks show. The port replaces 4010 in them. */
export async function createDocsProject(blocks: readonly Block[], port = 4010): Promise<string> {
  const { folder: project } = await installPacked()
  for (const name of LINKED) await link(join(root, 'node_modules', name), join(project, 'node_modules', name))
  for (const [command, program] of [
    ['vitest', 'vitest/vitest.mjs'],
    ['playwright', '@playwright/test/cli.js'],
  ] as const) {
    await link(join('..', program), join(project, 'node_modules/.bin', command))
  }
  const shared = blocks.find(({ note }) => note?.value === CODE_UNDER_TEST)
  if (shared === undefined) throw new Error(`No page shows ${CODE_UNDER_TEST}.`)
  for (const folder of new Set(blocks.map(folderOf))) {
    await writeInto(project, join(folder, CODE_UNDER_TEST), shared.code)
    await link(join(project, 'node_modules'), join(project, folder, 'node_modules'))
    await link(join(root, 'spec/openapi.yaml'), join(project, folder, READERS_DOCUMENT))
  }
  for (const block of blocks.filter((each) => kindOf(each) === 'file')) {
    const file = join(folderOf(block), block.note?.value ?? '')
    await writeInto(project, file, block.code.replaceAll('4010', String(port)))
  }
  return project
}

async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await symlink(target, path)
}

export async function writeInto(project: string, name: string, text: string): Promise<void> {
  await mkdir(dirname(join(project, name)), { recursive: true })
  await writeFile(join(project, name), text)
}
