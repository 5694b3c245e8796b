import { mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import { type Block, kindOf } from './docs-blocks.js'
import { npm, root } from './packed.js'

/** The folder of a page in the project, for its files and commands. */
export const folderOf = ({ page }: Pick<Block, 'page'>): string => `pages/${page.replaceAll(/\W+/g, '-')}`

/** The code under test of docs/unit-tests.md, which all pages use. */
const CODE_UNDER_TEST = 'src/orders.ts'

/** Creates a project with the packed package and the files that the blocks show. The port replaces 4010 in them. */
export async function createDocsProject(blocks: readonly Block[], port = 4010): Promise<string> {
  const tarball = inject('tarball')
  const project = await mkdtemp(join(dirname(tarball), 'docs-'))
  await install(project, tarball)
  const shared = blocks.find(({ note }) => note?.value === CODE_UNDER_TEST)
  if (shared === undefined) throw new Error(`No page shows ${CODE_UNDER_TEST}.`)
  for (const folder of new Set(blocks.map(folderOf))) {
    await writeInto(project, join(folder, CODE_UNDER_TEST), shared.code)
    await symlink(join(project, 'node_modules'), join(project, folder, 'node_modules'))
  }
  for (const block of blocks) {
    if (kindOf(block) !== 'file') continue
    await writeInto(
      project,
      join(folderOf(block), block.note?.value ?? ''),
      block.code.replaceAll('4010', String(port)),
    )
  }
  return project
}

/** The packages that the blocks use besides our own. Those of this repository are linked, which takes no time. */
const LINKED = ['msw', 'vitest', 'vite', '@types/node']

async function install(project: string, tarball: string): Promise<void> {
  const { devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const manifest = {
    private: true,
    type: 'module',
    // @playwright/test is a part of playwright.
    devDependencies: { 'petstore-mock': `file:${tarball}`, '@playwright/test': devDependencies.playwright },
  }
  await writeInto(project, 'package.json', JSON.stringify(manifest, null, 2))
  await npm(project, ['install', '--no-audit', '--no-fund', '--prefer-offline'])
  for (const name of LINKED) {
    const link = join(project, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(join(root, 'node_modules', name), link)
  }
  await symlink('../vitest/vitest.mjs', join(project, 'node_modules/.bin/vitest'))
}

export async function writeInto(project: string, name: string, text: string): Promise<void> {
  await mkdir(dirname(join(project, name)), { recursive: true })
  await writeFile(join(project, name), text)
}
