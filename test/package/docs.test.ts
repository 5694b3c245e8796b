import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Block, blocksOf, type Page, readExamples, readPages, titleOf } from '../support/docs-blocks.js'
import { BROKEN, MISUSED } from '../support/docs-broken.js'
import { findBrokenLink, linksOf } from '../support/docs-links.js'
import { createWorkshop, type Workshop } from '../support/docs-workshop.js'
import { INSTALL_TIMEOUT_MS } from '../support/packed.js'

// Every block of the documentation is executed, in a project that has installed the packed package.

const pages = readPages()
const blocks = pages.flatMap(blocksOf)
const broken = BROKEN.map(({ problem, page }) => ({ problem, blocks: blocksOf(page) }))
let workshop: Workshop

beforeAll(async () => {
  workshop = await createWorkshop([...blocks, ...broken.flatMap((each) => each.blocks)])
}, 2 * INSTALL_TIMEOUT_MS)

afterAll(() => workshop?.close())

const withTitle = (block: Block) => ({ title: `${titleOf(block)} ${block.language}`, block })

it.each(blocks.map(withTitle))('executes $title', { timeout: INSTALL_TIMEOUT_MS }, async ({ block }) => {
  await workshop.execute(block)
})

it.each(pages)('finds every block of $name', (page) => {
  const fences = page.text.split('\n').filter((line) => /^\s*(```|~~~)/.test(line))
  expect(2 * blocksOf(page).length).toBe(fences.length)
})

it.each([...pages, ...readExamples()])('has no broken links in $name', (page) => {
  const problems = linksOf(page).map((link) => ({ at: titleOf(link), problem: findBrokenLink(link, pages) }))
  expect(problems.filter(({ problem }) => problem !== undefined)).toEqual([])
})

it('links to every page of docs from its index', () => {
  const linked = linksOf(find('docs/README.md')).map(({ target }) => `docs/${target.replace(/#.*/, '')}`)
  const others = pages.map(({ name }) => name).filter((name) => name.startsWith('docs/') && name !== 'docs/README.md')
  expect(others.filter((name) => !linked.includes(name))).toEqual([])
})

function find(name: string): Page {
  return pages.find((page) => page.name === name) ?? expect.fail(`there is no ${name}`)
}

describe('a page with a mistake', () => {
  it.each(broken)('is reported: $problem', async ({ problem, blocks }) => {
    const block = blocks.at(-1) as Block
    await expect(workshop.execute(block)).rejects.toThrow(problem)
  })

  it.each(MISUSED)('is reported before anything runs: $problem', ({ problem, page }) => {
    expect(() => blocksOf(page)).toThrow(problem)
  })

  it('is reported for a broken link or anchor', () => {
    const page = {
      name: 'docs/broken.md',
      text: '# One\n[a](#one) [b](#two)\n[c](../README.md)\n[d](nowhere.md#one)\n',
    }
    const problems = linksOf(page).map((link) => `${titleOf(link)} ${findBrokenLink(link, [...pages, page])}`)
    expect(problems).toEqual([
      'docs/broken.md:2 undefined',
      'docs/broken.md:2 docs/broken.md has no heading for #two, only one',
      'docs/broken.md:3 undefined',
      'docs/broken.md:4 there is no docs/nowhere.md',
    ])
  })
})
