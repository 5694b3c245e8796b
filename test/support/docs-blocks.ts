import { existsSync, readdirSync, readFileSync } from 'node:fs'
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
  /** The comment on the line before the fence, `<!-- file: shop.yaml -->` for one: how the block is to be executed. */
  readonly note?: { readonly name: string; readonly value: string }
}

/** All pages whose blocks are executed. */
export function readPages(): Page[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  const names = docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name.replaceAll('\\', '/')}`)
  return ['README.md', ...names.sort(), 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'].map(readPage)
}

/** The pages of the examples, whose instructions are tested with the examples. */
export function readExamples(): Page[] {
  const names = readdirSync(join(root, 'examples')).map((name) => `examples/${name}/README.md`)
  return names.filter((name) => existsSync(join(root, name))).map(readPage)
}

function readPage(name: string): Page {
  return { name, text: readFileSync(join(root, name), 'utf8') }
}

const FENCE = /^( *)(`{3,}|~{3,})(.*)$/
const NOTE = /^ *<!-- (file|with|tested by|workflow|prints)(?:: (.+?))? -->$/
const COMMENT = /^ *<!--/

/** Pages with their own test, which follows all blocks. */
const FOLLOWED: Readonly<Record<string, string>> = {
  'docs/add-an-operation.md': 'test/package/add-an-operation.test.ts',
}

export function blocksOf({ name, text }: Page): Block[] {
  const lines = text.split('\n')
  const blocks: Block[] = []
  for (let start = 0; start < lines.length; start += 1) {
    const [, indent = '', fence = '', language = ''] = FENCE.exec(lines[start] as string) ?? []
    if (fence === '') continue
    const end = lines.findIndex((line, index) => index > start && line.trim() === fence)
    if (end < 0) throw new Error(`${name}:${start + 1} opens a block that never ends`)
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
  const value = FOLLOWED[page]
  return value === undefined ? readNote(page, line, text) : { note: { name: 'tested by', value } }
}

/** A misspelled note is an error, because the block would be executed in another way. */
function readNote(page: string, line: number, text: string): Pick<Block, 'note'> {
  if (!COMMENT.test(text)) return {}
  const [, name, value = ''] = NOTE.exec(text) ?? []
  if (name === undefined) throw new Error(`${page}:${line} has a note that nobody knows: ${text.trim()}`)
  return { note: { name, value } }
}

export type Kind = 'script' | 'browser' | 'shell' | 'workflow' | 'output' | 'file' | 'elsewhere'

const KIND_OF_NOTE: Readonly<Record<string, Kind>> = {
  file: 'file',
  'tested by': 'elsewhere',
  workflow: 'workflow',
  prints: 'output',
}

const KIND_OF_LANGUAGE: Readonly<Record<string, Kind>> = { ts: 'script', js: 'script', sh: 'shell', text: 'output' }

/** How a block is executed. */
export function kindOf({ language, note, code }: Block): Kind {
  const kind = KIND_OF_NOTE[note?.name ?? ''] ?? KIND_OF_LANGUAGE[language]
  if (kind === undefined) {
    const spelt = language === '' ? 'no language' : `the language ${language}`
    throw new Error(`nobody knows how to execute a block with ${spelt} and no note: CONTRIBUTING.md has the list`)
  }
  return kind === 'script' && code.includes('petstore-mock/browser') ? 'browser' : kind
}

export const titleOf = ({ page, line }: Pick<Block, 'page' | 'line'>): string => `${page}:${line}`
