import { parse } from 'yaml'

/** Known actions, which are downloaded when the workflow runs and cannot be tested here. */
const KNOWN_ACTIONS = ['actions/checkout@v4', 'actions/setup-node@v4', 'actions/upload-artifact@v4']

interface Step {
  readonly uses?: string
  readonly run?: string
}

/** The commands of a workflow, in the order of its steps, as one script. */
export function stepsOf(workflow: string): string {
  const { jobs } = parse(workflow) as { jobs: Record<string, { steps: readonly Step[] }> }
  const steps = Object.values(jobs).flatMap((job) => job.steps)
  const unknown = steps.find(({ uses }) => uses !== undefined && !KNOWN_ACTIONS.includes(uses))
  if (unknown !== undefined) throw new Error(`nobody has looked at what ${unknown.uses} is`)
  const script = steps.flatMap(({ run = [] }) => run).join('\n')
  if (script === '') throw new Error('the workflow has no step that runs a command')
  return script
}
