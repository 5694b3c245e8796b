import { join } from 'node:path'
import { count, expectFound, type Judge } from './judge.js'
import { writeWrongPackage } from './packed.js'
import { HERE, inFolder, ROOT, runTool } from './tools.js'

const CONFIG = join(HERE, 'knip.jsonc')

interface Report {
  readonly issues: readonly (Readonly<Record<string, readonly Find[] | undefined>> & { readonly file: string })[]
}

interface Find {
  readonly name: string
  readonly line?: number
}

/** Knip on the whole project: unused files, exports and dependencies. */
export const knip: Judge = {
  name: 'knip',
  async judge() {
    const finds = await look(ROOT, ['--config', CONFIG])
    const wrong = await inFolder((folder) => look(writeWrongPackage(folder)))
    return {
      figures: `${count(finds.length, 'unused file, export or dependency', 'unused files, exports or dependencies')}`,
      faults: [...finds, ...expectFound('an unused file', wrong.length > 0)],
    }
  },
}

async function look(project: string, more: readonly string[] = []): Promise<readonly string[]> {
  const args = ['--directory', project, '--reporter', 'json', '--no-progress', ...more]
  const { stdout, output } = await runTool('knip', args, project)
  try {
    const { issues } = JSON.parse(stdout) as Report
    return issues.flatMap(({ file, ...kinds }) =>
      Object.entries(kinds).flatMap(([kind, finds]) =>
        (finds ?? []).map(({ name, line }) => `${file}${line ? `:${line}` : ''} ${kind}: ${name}`),
      ),
    )
  } catch {
    throw new Error(`Knip printed no report\n${output}`)
  }
}
