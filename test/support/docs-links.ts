import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { Page } from './docs-blocks.js'
import { root } from './packed.js'

/** A link of a page to something in this repository. */
export interface Link {
  readonly page: string
  readonly line: number
  readonly target: string
}

const LINK = /\]\(([^)\s]+)\)/g
const ELSEWHERE = /^[a-z]+:/

export function linksOf({ name, text }: Page): Link[] {
  const lines = withoutBlocks(text).split('\n')
  return lines.flatMap((line, index) =>
    [...line.matchAll(LINK)]
      .map(([, target]) => ({ page: name, line: index + 1, target: target as string }))
      .filter(({ target }) => !ELSEWHERE.test(target)),
  )
}

/** The problem of a link, if there is one. */
export function findBrokenLink({ page, target }: Link, pages: readonly Page[]): string | undefined {
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? page : posix.join(posix.dirname(page), path)
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
