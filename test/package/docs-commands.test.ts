import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type Block, blocksOf, columnBlocksOf, kindOf, readPages, titleOf } from '../support/docs-blocks.js'
import { createDocsProject, folderOf } from '../support/docs-project.js'
import { matches, runShell } from '../support/docs-shell.js'
import { findFreePort } from '../support/find-free-port.js'

// The commands of the documentation and their output, in a project that has installed the packed package.

const blocks = readPages().flatMap((page) => [...blocksOf(page), ...columnBlocksOf(page)])
let project: string
let port: number

beforeAll(async () => {
  port = await findFreePort()
  project = await createDocsProject([...blocks, ...BROKEN.flatMap((page) => page.blocks)], port)
})

const executed = blocks.filter((block) => ['shell', 'workflow', 'output'].includes(kindOf(block) ?? ''))

it.each(executed.map((block) => ({ title: `${titleOf(block)} ${block.language}`, block })))(
  'executes $title',
  ({ block }) => execute(block, blocks),
)

/** The last block of each has a mistake. */
const BROKEN = [
  {
    problem: /Expected no failure, received 404, exit code 1/,
    text: '```sh\ncurl http://127.0.0.1:4010/cats\nfalse | cat\ntrue\n```',
  },
  { problem: /shows\ntwo\nbut it printed\none/, text: '```sh\necho one\n```\n\n```text\ntwo\n```' },
].map(({ problem, text }, index) => ({ problem, blocks: blocksOf({ name: `broken-${index}.md`, text }) }))

it.each(BROKEN)('reports a mistake in a block: $problem', async ({ problem, blocks }) => {
  await expect(execute(blocks.at(-1) as Block, blocks)).rejects.toThrow(problem)
})

/** Rejects with the problem of the block. */
async function execute(block: Block, others: readonly Block[]): Promise<void> {
  if (kindOf(block) === 'output') compareOutput(block, await runBlock(findCommandsBefore(block, others)))
  else await runBlock(block)
}

const results = new Map<Block, Promise<string>>()

/** Each block runs once, because the block after it may show its output. */
function runBlock(block: Block): Promise<string> {
  const folder = join(project, folderOf(block))
  const script = kindOf(block) === 'workflow' ? stepsOf(block.code) : block.code
  const failures = block.note?.name === 'fails with' ? block.note.value.split(', ') : []
  const result = results.get(block) ?? runShell({ project, folder, script, port, failures })
  results.set(block, result)
  return result
}

function findCommandsBefore(block: Block, others: readonly Block[]): Block {
  const before = others.filter(({ page, line }) => page === block.page && line < block.line).at(-1)
  if (before?.language !== 'sh') throw new Error('There is no block of commands right before this output.')
  return before
}

function compareOutput(block: Block, output: string): void {
  const [shown, printed] = [block.code.trim(), output.trim()]
  if (!matches(shown, printed)) throw new Error(`${titleOf(block)} shows\n${shown}\nbut it printed\n${printed}`)
}

interface Step {
  readonly run?: string
}

/** The commands of a workflow, in the order of its steps, as one script. */
function stepsOf(workflow: string): string {
  const { jobs } = parse(workflow) as { jobs: Record<string, { steps: readonly Step[] }> }
  const steps = Object.values(jobs).flatMap((job) => job.steps)
  const script = steps.flatMap(({ run = [] }) => run).join('\n')
  if (script === '') throw new Error('The workflow has no step that runs a command.')
  return script
}
