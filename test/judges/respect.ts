import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { readOperations } from './document.js'
import { count, expectFound, type Judge } from './judge.js'
import { HERE, inFolder, ROOT, runTool, startServer } from './tools.js'

const FOLDER = join(HERE, 'arazzo')
/** An expectation that is changed, to check that the judge reports it. */
const RIGHT = "$response.body#/status == 'pending'"
const WRONG = "$response.body#/status == 'lost'"

interface Report {
  readonly files: Record<string, { readonly executedWorkflows: readonly Workflow[] }>
}

interface Workflow {
  readonly workflowId: string
  readonly executedSteps: readonly Step[]
}

interface Step {
  readonly stepId: string
  readonly response?: { readonly statusCode: number }
  readonly checks: readonly { readonly name: string; readonly passed: boolean; readonly message?: string }[]
}

interface Hearing {
  readonly code: number | null
  readonly output: string
  readonly workflows: readonly Workflow[]
}

/** Redocly `respect` runs Arazzo workflows: one for every operation, and a longer story. */
export const respect: Judge = {
  name: 'respect',
  async judge() {
    const server = await startServer()
    try {
      const files = readdirSync(FOLDER).filter((file) => file.endsWith('.arazzo.yaml'))
      const { code, output, workflows } = await walk(
        files.map((file) => join(FOLDER, file)),
        server.url,
      )
      const steps = workflows.flatMap(({ executedSteps }) => executedSteps)
      const checks = steps.flatMap((step) => step.checks)
      const passed = checks.filter((check) => check.passed).length
      const failed = steps.flatMap(({ stepId, checks }) =>
        checks.filter((check) => !check.passed).map(({ name, message }) => `${stepId}: ${name}: ${message}`),
      )
      return {
        figures: `${count(workflows.length, 'workflow')}, ${count(steps.length, 'step')}, ${passed} of ${count(checks.length, 'check')} passed`,
        faults: [
          ...failed,
          ...(code === 0 || failed.length > 0 ? [] : [`respect ended with exit code ${code}: ${output.slice(-1000)}`]),
          ...findGaps(workflows),
          ...expectFound('a wrong expectation', await seesWrongExpectation(server.url)),
        ],
      }
    } finally {
      await server.stop()
    }
  },
}

async function walk(files: readonly string[], server: string): Promise<Hearing> {
  return inFolder(async (folder) => {
    const json = join(folder, 'report.json')
    const paths = files.map((file) => relative(ROOT, file))
    const { code, output } = await runTool('redocly', ['respect', ...paths, '-S', `petstore=${server}`, '-J', json])
    const { files: heard } = JSON.parse(readFileSync(json, 'utf8')) as Report
    return { code, output, workflows: Object.values(heard).flatMap((file) => file.executedWorkflows) }
  })
}

/** Every operation must have a workflow with its name, with a success and an error. */
function findGaps(workflows: readonly Workflow[]): readonly string[] {
  return readOperations().flatMap(({ id }) => {
    const own = workflows.find(({ workflowId }) => workflowId === id)
    if (!own) return [`There is no workflow ${id}.`]
    const statuses = own.executedSteps.map(({ response }) => response?.statusCode ?? 0)
    const isComplete = statuses.some((status) => status < 300) && statuses.some((status) => status >= 400)
    return isComplete ? [] : [`The workflow ${id} must have a success and an error.`]
  })
}

async function seesWrongExpectation(server: string): Promise<boolean> {
  const story = readFileSync(join(FOLDER, 'story.arazzo.yaml'), 'utf8')
  return inFolder(async (folder) => {
    const file = join(folder, 'wrong.arazzo.yaml')
    const here = story.replace('../../../spec/openapi.yaml', join(ROOT, 'spec/openapi.yaml'))
    writeFileSync(file, here.replace(RIGHT, WRONG))
    const { code, workflows } = await walk([file], server)
    const checks = workflows.flatMap(({ executedSteps }) => executedSteps.flatMap((step) => step.checks))
    return here.includes(RIGHT) && code !== 0 && checks.filter(({ passed }) => !passed).length === 1
  })
}
