import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPages } from '../support/docs-blocks.js'
import { count, expectFound, type Judge } from './judge.js'
import { ACCEPTED, OFF, REPLACED, WORDS } from './prose-rules.js'
import { HERE, inFolder, ROOT, run } from './tools.js'

interface Finding {
  readonly file: string
  readonly line: number
  readonly rule: string
  readonly text: string
  readonly message: string
}

const WRONG = `# A page with mistakes

This are an sentense. Every door has a control plane.

${'This sentence does not end because it goes on and on, '.repeat(5)}and then it ends.
`

/** Harper on everything that people read: spelling, grammar, long sentences; and words that we do not use. */
export const prose: Judge = {
  name: 'prose',
  async judge() {
    const examples = readdirSync(join(ROOT, 'examples')).map((name) => `examples/${name}/README.md`)
    const files = [...readPages().map(({ name }) => name), ...examples]
    const { findings, wrong } = await lintWithWrongPage(files.map((file) => join(ROOT, file)))
    const used = new Set(findings.map(keyOf))
    const unused = ACCEPTED.map(([rule, text]) => `${rule}: ${text}`).filter((key) => !used.has(key))
    const accepted = new Set(ACCEPTED.map(([rule, text]) => `${rule}: ${text}`))
    const problems = findings.filter((finding) => !accepted.has(keyOf(finding)))
    return {
      figures: `${count(files.length, 'page')}, ${count(problems.length, 'problem')}`,
      faults: [
        ...problems.map(describe),
        ...unused.map((key) => `${key} no longer occurs: remove it from prose-rules.ts.`),
        ...expectFound('a misspelled word', wrong.includes('SpellCheck')),
        ...expectFound('a long sentence', wrong.includes('LongSentences')),
        ...expectFound('a wrong article', wrong.includes('AnA')),
        ...expectFound('two words that we do not use', wrong.filter((rule) => rule === GLOSSARY).length === 2),
      ],
    }
  },
}

async function lint(files: readonly string[]): Promise<readonly Finding[]> {
  const settings = JSON.stringify({ off: Object.keys(OFF), words: WORDS.flatMap((word) => [word, `${word}'s`]) })
  const { stdout, output } = await run(process.execPath, [join(HERE, 'lint-prose.mjs'), settings, ...files])
  try {
    return [...(JSON.parse(stdout) as Finding[]), ...files.flatMap(findReplacedWords)]
  } catch {
    throw new Error(`Harper printed no report\n${output}`)
  }
}

const GLOSSARY = 'Glossary'

function findReplacedWords(file: string): Finding[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((text, index) =>
    REPLACED.flatMap(([word, instead]) =>
      [...text.matchAll(word)].map(([found]) => ({
        file,
        line: index + 1,
        rule: GLOSSARY,
        text: found,
        message: `Say instead: ${instead}.`,
      })),
    ),
  )
}

/** In one call, because Harper takes seconds to start. `wrong` has the rules that the page with mistakes breaks. */
function lintWithWrongPage(files: readonly string[]): Promise<{ findings: readonly Finding[]; wrong: string[] }> {
  return inFolder(async (folder) => {
    const page = join(folder, 'wrong.md')
    writeFileSync(page, WRONG)
    const all = await lint([...files, page])
    return {
      findings: all.filter(({ file }) => file !== page),
      wrong: all.flatMap(({ file, rule }) => (file === page ? [rule] : [])),
    }
  })
}

const keyOf = ({ rule, text }: Finding): string => `${rule}: ${text}`

function describe({ file, line, rule, text, message }: Finding): string {
  const place = `${file.replace(ROOT, '')}:${line}`
  return `${place} ${rule}: "${text.replaceAll(/\s+/g, ' ').slice(0, 120)}" ${message}`
}
