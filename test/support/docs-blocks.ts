import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './packed.js'

/** A page of the documentation. */
export interface Page {
  /** Its path in the repository. */
  readonly name: string
  readonly text: string
}

/** A fenced block of a page. */
export interface Block {
  readonly page: string
  /** The line of the fence, to locate a failing block. */
  readonly line: number
  /** The text after the fence. */
  readonly language: string
  readonly code: string
  /** The comment on the line before the fence, such as `<!-- file: shop.yaml -->`: how the block is executed. */
  readonly note?: { readonly name: string; readonly value: string }
}

/** All pages whose blocks are executed. */
export function readPages(): Page[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  const names = docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name.replaceAll('\\', '/')}`)
  return ['README.md', ...names.sort(), 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'llms.txt'].map(readPage)
}

export function readPage(name: string): Page {
  return { name, text: readFileSync(join(root, name), 'utf8') }
}

const FENCE = /^( *)(`{3,})(.*)$/
const NOTE = /^ *<!-- (file|fails with|tested by|workflow)(?:: (.+?))? -->$/
const COMMENT = /^ *<!--/

/** Pages whose blocks are all executed by a separate test. */
const PAGES_WITH_A_TEST: Readonly<Record<string, string>> = {
  'docs/add-an-operation.md': 'test/package/add-an-operation.full.test.ts',
  'docs/other-languages.md': 'test/package/other-languages.full.test.ts',
  'docs/recipes.md': 'test/package/recipes.full.test.ts',
}

export function blocksOf({ name, text }: Page): Block[] {
  const lines = text.split('\n')
  const blocks: Block[] = []
  for (let start = 0; start < lines.length; start += 1) {
    const [, indent = '', fence = '', language = ''] = FENCE.exec(lines[start] as string) ?? []
    if (fence === '') continue
    const end = lines.findIndex((line, index) => index > start && line.trim() === fence)
    if (end < 0) throw new Error(`The block at ${name}:${start + 1} is not closed.`)
    const code = lines.slice(start + 1, end).map((line) => line.slice(Math.min(indent.length, line.search(/\S|$/))))
    blocks.push({
      page: name,
      line: start + 1,
      language: language.trim(),
      code: `${code.join('\n')}\n`,
      ...noteOf(name, start, lines[start - 1] ?? ''),
    })
    start = end
  }
  return blocks
}

function noteOf(page: string, line: number, text: string): Pick<Block, 'note'> {
  const test = PAGES_WITH_A_TEST[page]
  if (test !== undefined) return { note: { name: 'tested by', value: test } }
  if (!COMMENT.test(text)) return {}
  const [, name, value = ''] = NOTE.exec(text) ?? []
  // It may be misspelled, and the block would be executed in another way.
  if (name === undefined) throw new Error(`${page}:${line} has an unknown note: ${text.trim()}`)
  return { note: { name, value } }
}

/** The blocks of a page that a test, named by its path, executes. */
export function testedBlocks(page: string, test: string): Block[] {
  return blocksOf(readPage(page)).filter(({ note }) => note?.name === 'tested by' && note.value === test)
}

/** The columns of a table whose cells are executed, after the blocks above the table that have the same language. */
const EXECUTED_COLUMNS: Readonly<Record<string, string>> = { 'In code': 'ts', 'Over HTTP': 'sh' }

/** The executed columns of a page's tables: a block for each, with its cells as lines. */
export function columnBlocksOf(page: Page): Block[] {
  const blocks = blocksOf(page)
  return tablesOf(page).flatMap(({ line, header, rows }) =>
    header.flatMap((title, column) => {
      const language = EXECUTED_COLUMNS[title]
      if (language === undefined) return []
      const before = blocks.filter((block) => block.language === language && block.line < line)
      const cells = rows.map((row) => row[column]?.replace(/^`(.+)`$/, '$1') ?? '')
      return [
        { page: page.name, line, language, code: `${before.map(({ code }) => code).join('')}${cells.join('\n')}\n` },
      ]
    }),
  )
}

export interface Table {
  /** The line of its header. */
  readonly line: number
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const DELIMITER_ROW = /^\s*\|(?: *:?-+:? *\|)+$/

export function tablesOf({ text }: Page): Table[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    if (index === 0 || !DELIMITER_ROW.test(line)) return []
    const length = lines.slice(index + 1).findIndex((row) => !row.trim().startsWith('|'))
    const rows = lines.slice(index + 1, length < 0 ? lines.length : index + 1 + length)
    return [{ line: index, header: cellsOf(lines[index - 1] as string), rows: rows.map(cellsOf) }]
  })
}

function cellsOf(row: string): string[] {
  const cells = row.trim().split(/(?<!\\)\|/)
  return cells.slice(1, -1).map((cell) => cell.trim().replaceAll('\\|', '|'))
}

export type Kind = 'script' | 'browser' | 'shell' | 'workflow' | 'output' | 'file' | 'tested' | 'diagram'

const KIND_OF_NOTE: Readonly<Record<string, Kind>> = { file: 'file', 'tested by': 'tested', workflow: 'workflow' }

const KIND_OF_LANGUAGE: Readonly<Record<string, Kind>> = {
  ts: 'script',
  js: 'script',
  sh: 'shell',
  text: 'output',
  mermaid: 'diagram',
}

/** How a block is executed. Undefined if it cannot be. */
export function kindOf({ language, note, code }: Block): Kind | undefined {
  const kind = KIND_OF_NOTE[note?.name ?? ''] ?? KIND_OF_LANGUAGE[language]
  return kind === 'script' && code.includes('petstore-mock/browser') ? 'browser' : kind
}

export const titleOf = ({ page, line }: Pick<Block, 'page' | 'line'>): string => `${page}:${line}`
