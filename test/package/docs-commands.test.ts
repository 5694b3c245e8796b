import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import {
  type Block,
  type BrokenPage,
  blocksOf,
  columnBlocksOf,
  createBroken,
  kindOf,
  readPages,
  titleOf,
} from '../support/docs-blocks.js'
import { createDocsProject, folderOf } from '../support/docs-project.js'
import { matches, type Printed, runShell } from '../support/docs-shell.js'

// The commands of the documentation and their output, in a project that has installed the packed package.

const BROKEN: readonly BrokenPage[] = [
  broken(/exit code 1/, 'sh', 'false'),
  broken(/exit code 1/, 'sh', 'false | cat\ntrue'),
  broken(/Expected no failure, received 404/, 'sh', 'curl http://127.0.0.1:4010/cats'),
  createBroken(/Expected 404, received no failure/, [
    { note: 'fails with: 404', language: 'sh', code: 'curl http://127.0.0.1:4010/pets' },
  ]),
  createBroken(/Expected exit code 1, received exit code 2/, [
    { note: 'fails with: exit code 1', language: 'sh', code: 'npx petstore-mock --scenrio busy' },
  ]),
  broken(/--scenrio/, 'sh', 'npx petstore-mock --scenrio busy'),
  broken(/npx does not pass signals on/, 'sh', 'npx petstore-mock --port 0 & pid=$!'),
  broken(/jest is not installed in the project of the test/, 'sh', 'npm install --save-dev petstore-mock jest'),
  broken(/package.json has no such script/, 'sh', 'npm run tset'),
  createBroken(/shows\ntwo\nbut it printed\none/, [
    { language: 'sh', code: 'echo one' },
    { language: 'text', code: 'two' },
  ]),
  createBroken(/"a": 2.*but it printed.*"a": 1/s, [
    { language: 'sh', code: `echo '{"a":1}'` },
    { note: 'prints', language: 'json', code: '{ "a": 2 }' },
  ]),
  broken(/no block of commands right before/, 'text', 'one'),
  createBroken(/shop.yaml.*(status|frozen)/, [
    {
      note: 'file: shop.yaml',
      language: 'yaml',
      code: 'pets: [{ id: 1, name: Rex, category: { name: Dogs }, status: frozen }]',
    },
    { language: 'sh', code: 'npx petstore-mock --fixtures shop.yaml' },
  ]),
  brokenWorkflow(/exit code 1/, 'run: "false"'),
  brokenWorkflow(/Unknown action actions\/nothing@v1/, 'uses: actions/nothing@v1'),
  brokenWorkflow(/no step that runs a command/, 'uses: actions/checkout@v4'),
]

const blocks = readPages().flatMap((page) => [...blocksOf(page), ...columnBlocksOf(page)])
const all = [...blocks, ...BROKEN.flatMap((page) => page.blocks)]
let project: string
let port: number

beforeAll(async () => {
  port = await findPort()
  project = await createDocsProject(all, port)
})

const executed = blocks.filter((block) => ['shell', 'workflow', 'output'].includes(kindOf(block) ?? ''))

it.each(executed.map((block) => ({ title: `${titleOf(block)} ${block.language}`, block })))(
  'executes $title',
  ({ block }) => execute(block),
)

describe('a mistake in a block', () => {
  it.each(BROKEN)('is reported: $problem', async ({ problem, blocks }) => {
    await expect(execute(blocks.at(-1) as Block)).rejects.toThrow(problem)
  })
})

function broken(problem: RegExp, language: string, code: string): BrokenPage {
  return createBroken(problem, [{ language, code }])
}

function brokenWorkflow(problem: RegExp, step: string): BrokenPage {
  const code = `jobs:\n  test:\n    steps:\n      - ${step}`
  return createBroken(problem, [{ note: 'workflow', language: 'yaml', code }])
}

/** Below the ports that the system assigns, because it must stay free while the blocks run. */
async function findPort(): Promise<number> {
  const port = 10_000 + Math.floor(Math.random() * 20_000)
  return (await isFree(port)) ? port : findPort()
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

/** Rejects with the problem of the block. */
async function execute(block: Block): Promise<void> {
  if (kindOf(block) === 'output') compareOutput(block, await runBlock(findCommandsBefore(block)))
  else await runBlock(block)
}

const results = new Map<Block, Promise<Printed>>()

/** Each block runs once, because the block after it may show its output. */
function runBlock(block: Block): Promise<Printed> {
  const folder = join(project, folderOf(block))
  const script = kindOf(block) === 'workflow' ? stepsOf(block.code) : block.code
  const failures = block.note?.name === 'fails with' ? block.note.value.split(', ') : []
  const result = results.get(block) ?? runShell({ project, folder, script, port, failures })
  results.set(block, result)
  return result
}

function findCommandsBefore(block: Block): Block {
  const before = all.filter(({ page, line }) => page === block.page && line < block.line).at(-1)
  if (before?.language !== 'sh') throw new Error('There is no block of commands right before this output.')
  return before
}

/** In text, `…` stands for anything. */
function compareOutput(block: Block, { stdout }: Printed): void {
  const isJson = block.language === 'json'
  const [shown, printed] = isJson
    ? [block.code, stdout].map((text) => JSON.stringify(JSON.parse(text), null, 2))
    : [block.code.trim(), stdout.trim()]
  if (!matches(shown as string, printed as string)) {
    throw new Error(`${titleOf(block)} shows\n${shown}\nbut it printed\n${printed}`)
  }
}

/** Known actions, which are downloaded when the workflow runs and cannot be tested here. */
const KNOWN_ACTIONS = ['actions/checkout@v4', 'actions/setup-node@v4', 'actions/upload-artifact@v4']

interface Step {
  readonly uses?: string
  readonly run?: string
}

/** The commands of a workflow, in the order of its steps, as one script. */
function stepsOf(workflow: string): string {
  const { jobs } = parse(workflow) as { jobs: Record<string, { steps: readonly Step[] }> }
  const steps = Object.values(jobs).flatMap((job) => job.steps)
  const unknown = steps.find(({ uses }) => uses !== undefined && !KNOWN_ACTIONS.includes(uses))
  if (unknown !== undefined) throw new Error(`Unknown action ${unknown.uses}. Known: ${KNOWN_ACTIONS.join(', ')}.`)
  const script = steps.flatMap(({ run = [] }) => run).join('\n')
  if (script === '') throw new Error('The workflow has no step that runs a command.')
  return script
}
