import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, it } from 'vitest'

/** How many items each section of the list of bad inputs has, and the numbers that it leaves out. */
const SECTIONS: Readonly<Record<string, { readonly last: number; readonly without?: number }>> = {
  A: { last: 24 },
  B: { last: 18 },
  C: { last: 17 },
  D: { last: 27, without: 21 },
  E: { last: 34, without: 27 },
  F: { last: 11 },
  G: { last: 15 },
  H: { last: 19 },
  I: { last: 13 },
}

const ids = Object.entries(SECTIONS).flatMap(([section, { last, without }]) =>
  Array.from({ length: last }, (_, index) => index + 1)
    .filter((number) => number !== without)
    .map((number) => `${section}${number}`),
)

/** The ids at the start of a title: `A1 A2 returns …`. */
function idsOf(title: string): string[] {
  const [start = ''] = /^(?:[A-I]\d+(?: |$))*/.exec(title) ?? []
  return start.split(' ').filter((id) => id !== '')
}

/** The titles of a file's tests, including the texts that tables of cases, or functions that build their rows, contribute. */
function titlesOf(file: string, text: string): string[] {
  const titles: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && !isGroup(node.expression)) titles.push(...textsOf(node.arguments[0]))
    if (ts.isArrayLiteralExpression(node)) titles.push(...textsOf(node.elements[0]))
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest))
  return titles
}

function isGroup(node: ts.Expression): boolean {
  return ts.isIdentifier(node) && node.text.startsWith('describe')
}

function textsOf(node: ts.Node | undefined): string[] {
  if (node === undefined) return []
  if (ts.isStringLiteralLike(node)) return [node.text]
  return ts.isTemplateExpression(node) ? [node.head.text] : []
}

function readTitles(): string[] {
  const folder = new URL('../', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.test.ts') && !file.includes('node_modules'),
  )
  const texts = files.map((file) => [file, readFileSync(new URL(file, folder), 'utf8')] as const)
  // Parsing is slow, and most files have no ids.
  return texts.filter(([, text]) => /['"`][A-I]\d/.test(text)).flatMap(([file, text]) => titlesOf(file, text))
}

it('has a test for every item of the list of bad inputs, named by its id', () => {
  const tested = new Set(readTitles().flatMap(idsOf))
  expect(ids).toHaveLength(176)
  expect(ids.filter((id) => !tested.has(id))).toEqual([])
  // An id that is not in the list is a typo.
  expect([...tested].filter((id) => !ids.includes(id))).toEqual([])
})
