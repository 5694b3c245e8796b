import { findChromium } from './chromium.js'
import type { Page } from './docs-blocks.js'

/** A page whose last block must fail, and the expected problem. */
export interface BrokenPage {
  readonly problem: RegExp
  readonly page: Page
}

interface Written {
  readonly note?: string
  readonly language: string
  readonly code: string
}

const fence = ({ note, language, code }: Written): string =>
  `${note === undefined ? '' : `<!-- ${note} -->\n`}\`\`\`${language}\n${code}\n\`\`\`\n`

/** Each has one mistake. */
const PROBLEMS: readonly { readonly problem: RegExp; readonly written: readonly Written[] }[] = [
  // Scripts.
  wrong(/line 2: error TS2322: Type 'string' is not assignable/, 'ts', "const seed: number = '7'"),
  wrong(/expected 2 to deeply equal 3/, 'ts', '1 + 1 // => 3'),
  wrong(/expected .* to match object/, 'ts', "const pet = { id: 1, name: 'Rex' } // => { id: 2, … }"),
  wrong(/it was thrown/, 'ts', "throw new Error('it was thrown')"),
  wrong(/expected 404 to be 200/, 'ts', failingTest()),
  wrong(/a test of it was not run/, 'ts', "import { test } from 'vitest'\ntest.skip('runs', () => {})"),
  wrong(/is not exported/, 'ts', "import 'petstore-mock/nothing'"),
  wrong(
    /UNKNOWN_SCENARIO|scenario/,
    'js',
    "import { createPetstore } from 'petstore-mock'\ncreatePetstore({ scenario: 'bussy' })",
  ),
  wrong(/Could not resolve/, 'js', "import 'petstore-mock/browser'\nawait import('./nothing.js')"),
  ...(findChromium() === undefined ? [] : [neverStarted()]),
  // Commands.
  wrong(/exit code 1/, 'sh', 'false'),
  wrong(/exit code 1/, 'sh', 'false | cat\ntrue'),
  wrong(/answered with 404/, 'sh', 'curl http://127.0.0.1:4010/cats'),
  wrong(/"200" was expected, but there was .*"404"/, 'sh', 'curl http://127.0.0.1:4010/cats # => 200'),
  wrong(
    /"exit code 1" was expected, but there was .*exit code 2/,
    'sh',
    'npx petstore-mock --scenrio busy # => exit code 1',
  ),
  wrong(/--scenrio/, 'sh', 'npx petstore-mock --scenrio busy'),
  wrong(/npx does not pass signals on/, 'sh', 'npx petstore-mock --port 0 & pid=$!'),
  wrong(/this test has not installed jest/, 'sh', 'npm install --save-dev petstore-mock jest'),
  wrong(/there is no such script in package.json/, 'sh', 'npm run tset'),
  // Output and files.
  {
    problem: /shows\ntwo\nbut it printed\none/,
    written: [
      { language: 'sh', code: 'echo one' },
      { language: 'text', code: 'two' },
    ],
  },
  {
    problem: /"a": 2.*but it printed.*"a": 1/s,
    written: [
      { language: 'sh', code: `echo '{"a":1}'` },
      { note: 'prints', language: 'json', code: '{ "a": 2 }' },
    ],
  },
  wrong(/no block of commands right before/, 'text', 'one'),
  {
    problem: /shop.yaml.*(status|frozen)/,
    written: [
      {
        note: 'file: shop.yaml',
        language: 'yaml',
        code: 'pets: [{ id: 1, name: Rex, category: { name: Dogs }, status: frozen }]',
      },
      { language: 'sh', code: 'npx petstore-mock --fixtures shop.yaml' },
    ],
  },
  {
    problem: /no other block of the page uses shop.json/,
    written: [{ note: 'file: shop.json', language: 'json', code: '{}' }],
  },
  {
    problem: /line 7: error TS2304/,
    written: [
      { language: 'sh', code: 'ls orders.js || true' },
      { note: 'file: orders.ts', language: 'ts', code: 'export const orders = nothing' },
    ],
  },
  { problem: /exit code 1/, written: [workflow('run: "false"')] },
  { problem: /nobody has looked at what actions\/nothing@v1 is/, written: [workflow('uses: actions/nothing@v1')] },
  { problem: /no step that runs a command/, written: [workflow('uses: actions/checkout@v4')] },
  // Blocks that cannot be executed.
  wrong(/with the language ruby and no note/, 'ruby', 'puts 1'),
  wrong(/with no language and no note/, '', 'one'),
  wrong(/with the language json and no note/, 'json', '{}'),
  {
    problem: /there is no test\/nothing.test.ts/,
    written: [{ note: 'tested by: test/nothing.test.ts', language: 'ts', code: '' }],
  },
  {
    problem: /layout.test.ts does not mention broken-/,
    written: [{ note: 'tested by: test/unit/layout.test.ts', language: 'ts', code: '' }],
  },
]

export const BROKEN: readonly BrokenPage[] = PROBLEMS.map(({ problem, written }, index) => ({
  problem,
  page: { name: `broken-${index}.md`, text: written.map(fence).join('\n') },
}))

/** Pages that cannot be parsed. */
export const MISUSED: readonly BrokenPage[] = [
  { problem: /broken.md:1 opens a block that never ends/, page: { name: 'broken.md', text: '```ts\n1 + 1\n' } },
  {
    problem: /broken.md:1 has a note that nobody knows/,
    page: { name: 'broken.md', text: '<!-- fiel: a.ts -->\n```ts\n```\n' },
  },
]

function wrong(problem: RegExp, language: string, code: string) {
  return { problem, written: [{ language, code }] }
}

function neverStarted() {
  const code = "import { setupPetstore } from 'petstore-mock/browser'\nsetupPetstore({ baseUrl: '/api' })"
  return wrong(/\/api is not answered by the mock/, 'ts', code)
}

function workflow(step: string): Written {
  return { note: 'workflow', language: 'yaml', code: `jobs:\n  test:\n    steps:\n      - ${step}` }
}

function failingTest(): string {
  return [
    "import { expect, test } from 'petstore-mock/vitest'",
    "test('finds cats', async ({ petstore }) => {",
    "  const response = await petstore.fetch('/cats')",
    '  expect(response.status).toBe(200)',
    '})',
  ].join('\n')
}
