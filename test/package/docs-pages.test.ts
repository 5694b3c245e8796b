import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, inject, it } from 'vitest'
import { storeContract } from '../../src/petstore/contract.js'
import {
  type Block,
  blocksOf,
  columnBlocksOf,
  kindOf,
  type Page,
  readPage,
  readPages,
  tablesOf,
  titleOf,
} from '../support/docs-blocks.js'
import { root, run } from '../support/packed.js'

// The pages of the documentation, without executing anything.

const pages = readPages()
const blocks = pages.flatMap(blocksOf)

it.each(pages)('finds every block of $name', (page) => {
  const fences = page.text.split('\n').filter((line) => /^\s*(```|~~~)/.test(line))
  expect(2 * blocksOf(page).length).toBe(fences.length)
})

it('can execute every block', () => {
  const problems = blocks.map((block) => ({ at: titleOf(block), problem: findProblem(block, blocks) }))
  expect(problems.filter(({ problem }) => problem !== undefined)).toEqual([])
})

it.each([...pages, ...readExamples()])('has no broken links in $name', (page) => {
  const problems = linksOf(page).map((link) => ({ at: titleOf(link), problem: findBrokenLink(link, pages) }))
  expect(problems.filter(({ problem }) => problem !== undefined)).toEqual([])
})

it.each([...pages, ...readExamples()])('has a heading above every column in $name', (page) => {
  const tables = tablesOf(page).filter(({ header }) => header.some((cell) => cell === ''))
  expect(tables.map(({ line }) => `${page.name}:${line}`)).toEqual([])
})

it('executes the columns of the cheat sheet', () => {
  const columns = columnBlocksOf(readPage('docs/cheat-sheet.md'))
  const rows = tablesOf(readPage('docs/cheat-sheet.md')).flatMap((table) => table.rows)
  const isCode = (cell: string | undefined) => /^`[^`]+`$/.test(cell ?? '')
  expect(columns.map(({ language }) => language).sort()).toEqual([...'ts sh '.repeat(5).trim().split(' ')].sort())
  expect(rows.filter(([task = '', ...cells]) => task === '' || cells.length !== 2 || !cells.every(isCode))).toEqual([])
})

it('lists every operation in llms.txt', () => {
  const [, list = ''] = /^- Operations: (.+?)\.$/ms.exec(readPage('llms.txt').text) ?? []
  const names = [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  const operations = storeContract()
    .operations()
    .map(({ operation }) => operation)
  expect(names.sort()).toEqual(operations.sort())
})

it('has no broken links in the package', async () => {
  const { stdout } = await run('tar', ['-tzf', inject('tarball')])
  const files = stdout.split('\n').map((file) => file.replace('package/', ''))
  const links = pages.filter(({ name }) => files.includes(name)).flatMap(linksOf)
  const broken = links.filter((link) => !files.includes(fileOf(link)))
  expect(links.length).toBeGreaterThan(100)
  expect(broken).toEqual([])
})

it('links to every page of docs from its index', () => {
  const linked = linksOf(readPage('docs/README.md')).map(({ target }) => `docs/${target.replace(/#.*/, '')}`)
  const others = pages.map(({ name }) => name).filter((name) => name.startsWith('docs/') && name !== 'docs/README.md')
  expect(others.filter((name) => !linked.includes(name))).toEqual([])
})

it.each([
  { problem: /the language ruby and no note/, text: '```ruby\nputs 1\n```' },
  { problem: /No other block of the page uses shop.json/, text: '<!-- file: shop.json -->\n```json\n{}\n```' },
  { problem: /layout.test.ts does not mention/, text: '<!-- tested by: test/unit/layout.test.ts -->\n```ts\n```' },
])('reports a block that is not executed: $problem', ({ problem, text }) => {
  const blocks = blocksOf({ name: 'broken.md', text })
  expect(findProblem(blocks[0] as Block, blocks)).toMatch(problem)
})

it('reports an unknown note', () => {
  const text = '<!-- fiel: a.ts -->\n```ts\n```\n'
  expect(() => blocksOf({ name: 'broken.md', text })).toThrow(/broken.md:1 has an unknown note/)
})

it('reports a broken link, anchor or picture', () => {
  const page = {
    name: 'docs/broken.md',
    text: '# One\n[a](#one) [b](#two)\n[c](no.md#one)\n<img alt="" src="no.svg">\n',
  }
  expect(linksOf(page).map((link) => findBrokenLink(link, [page]))).toEqual([
    undefined,
    'docs/broken.md has no heading for #two, only one',
    'there is no docs/no.md',
    'there is no docs/no.svg',
  ])
})

/** The pages of the examples, whose instructions are tested with the examples. */
function readExamples(): Page[] {
  const names = readdirSync(join(root, 'examples')).map((name) => `examples/${name}/README.md`)
  return names.filter((name) => existsSync(join(root, name))).map(readPage)
}

/** The reason why a block is not executed, if there is one. */
function findProblem(block: Block, blocks: readonly Block[]): string | undefined {
  switch (kindOf(block)) {
    case undefined: {
      const language = block.language === '' ? 'no language' : `the language ${block.language}`
      return `A block with ${language} and no note cannot be executed. CONTRIBUTING.md lists the possible ones.`
    }
    case 'file':
      return isUsed(block, blocks) ? undefined : `No other block of the page uses ${block.note?.value}.`
    case 'tested':
      return findMissingTest(block)
    default:
      return undefined
  }
}

function isUsed(block: Block, blocks: readonly Block[]): boolean {
  const name = block.note?.value ?? ''
  const others = blocks.filter((other) => other.page === block.page && other !== block)
  const names = [name, name.replace(/\.ts$/, '.js'), ...runnersOf(name)]
  return others.some(({ code }) => names.some((each) => code.includes(each.replace(/^.*\//, ''))))
}

/** The command that uses a file without naming it, such as a test runner. */
function runnersOf(name: string): string[] {
  if (name === 'vitest.config.ts' || name.endsWith('.test.ts')) return ['npx vitest run']
  if (name.endsWith('.test.js')) return ['node --test']
  return name === 'playwright.config.ts' || name.endsWith('.spec.ts') ? ['npx playwright test'] : []
}

/** The named test must mention the page. */
function findMissingTest({ page, note }: Block): string | undefined {
  const test = note?.value ?? ''
  if (!existsSync(join(root, test))) return `There is no ${test}.`
  const name = page.replace(/^.*\//, '')
  return readFileSync(join(root, test), 'utf8').includes(name) ? undefined : `${test} does not mention ${name}.`
}

/** A link of a page to something in this repository. */
interface Link {
  readonly page: string
  readonly line: number
  readonly target: string
}

function linksOf({ name, text }: Page): Link[] {
  const lines = withoutBlocks(text).split('\n')
  return lines.flatMap((line, index) =>
    [...line.matchAll(/\]\(([^)\s]+)\)| (?:src|srcset)="([^"]+)"/g)]
      .map(([, link, picture]) => ({ page: name, line: index + 1, target: (link ?? picture) as string }))
      .filter(({ target }) => !/^[a-z]+:/.test(target)),
  )
}

/** The path of a link's target in the repository. */
function fileOf({ page, target }: Pick<Link, 'page' | 'target'>): string {
  const path = target.replace(/#.*/, '')
  return path === '' ? page : posix.join(posix.dirname(page), path)
}

/** The problem of a link, if there is one. */
function findBrokenLink({ page, target }: Link, pages: readonly Page[]): string | undefined {
  const anchor = target.split('#')[1]
  const file = fileOf({ page, target })
  const text = pages.find(({ name }) => name === file)?.text
  if (text === undefined && !existsSync(join(root, file))) return `there is no ${file}`
  if (anchor === undefined) return undefined
  const headings = anchorsOf(text ?? readFileSync(join(root, file), 'utf8'))
  return headings.includes(anchor) ? undefined : `${file} has no heading for #${anchor}, only ${headings.join(', ')}`
}

/** The anchors that GitHub creates for headings. */
function anchorsOf(markdown: string): string[] {
  const headings = [...withoutBlocks(markdown).matchAll(/^#+ (.+)$/gm)]
  return headings.map(([, heading = '']) =>
    heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  )
}

/** The lines, with those of fenced blocks emptied. */
function withoutBlocks(markdown: string): string {
  return markdown.replaceAll(/^ *(`{3,}).*?^ *\1$/gms, (block) => block.replaceAll(/[^\n]/g, ''))
}
