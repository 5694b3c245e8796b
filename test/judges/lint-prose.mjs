/**
 * Checks Markdown files with Harper, which has no command of its own, and prints its findings as JSON.
 * Usage: node lint-prose.mjs '{ "off": […], "words": […] }' README.md …
 */
import { readFileSync } from 'node:fs'
import { Dialect, LocalLinter } from 'harper.js'
import { binary } from 'harper.js/binary'

const [settings, ...files] = process.argv.slice(2)
const { off, words } = JSON.parse(settings)
const linter = new LocalLinter({ binary, dialect: Dialect.British })
const rules = await linter.getDefaultLintConfig()
const unknown = off.filter((rule) => !(rule in rules))
if (unknown.length > 0) throw new Error(`Harper has no rule ${unknown.join(', ')}.`)
await linter.setLintConfig({ ...rules, ...Object.fromEntries(off.map((rule) => [rule, false])) })
await linter.importWords(words)

const findings = []
for (const file of files) {
  const text = readFileSync(file, 'utf8')
  const found = await linter.organizedLints(text, { language: 'markdown' })
  for (const [rule, lints] of Object.entries(found)) {
    for (const lint of lints) {
      // Offsets count characters, not UTF-16 units.
      const line = [...text].slice(0, lint.span().start).filter((character) => character === '\n').length + 1
      findings.push({ file, line, rule, text: lint.get_problem_text(), message: lint.message() })
    }
  }
}
console.log(JSON.stringify(findings))
