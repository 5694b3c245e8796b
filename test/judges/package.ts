import { count, expectFound, type Judge } from './judge.js'
import { pack, packBuild, readManifest, unpack, writeWrongPackage } from './packed.js'
import { inFolder, runTool } from './tools.js'

/** An entry that is a data file, which has no types. */
const UNTYPED = 'openapi.yaml'

interface Analysis {
  readonly problems: readonly Problem[]
  readonly entrypoints: Readonly<Record<string, unknown>>
}

interface Problem {
  readonly kind: string
  readonly entrypoint?: string
  readonly resolutionKind?: string
}

/** publint on the packed package: every entry must point to a file in the declared format. */
export const publint: Judge = {
  name: 'publint',
  judge: () =>
    inFolder(async (folder) => {
      const tarball = await packBuild()
      const { code, output } = await runTool('publint', ['run', tarball, '--strict'])
      const wrong = await runTool('publint', ['run', await pack(folder, writeWrongPackage(folder)), '--strict'])
      const entries = Object.keys(readManifest(await unpack(tarball, folder)).exports)
      return {
        figures: `${count(entries.length, 'entry', 'entries')}, ${code === 0 ? 'no messages' : 'with messages'}`,
        faults: [...(code === 0 ? [] : [output.trim()]), ...expectFound('an entry without a file', wrong.code !== 0)],
      }
    }),
}

/** "Are the types wrong?": every entry must have types that match its code, with every kind of resolution. */
export const attw: Judge = {
  name: 'attw',
  judge: () =>
    inFolder(async (folder) => {
      const { problems, entrypoints } = await analyse(await packBuild())
      const wrong = await analyse(await pack(folder, writeWrongPackage(folder)))
      const faults = problems.filter(isFault)
      const typed = Object.keys(entrypoints).length
      return {
        figures: `${count(typed, 'entry', 'entries')}, ${count(faults.length, 'problem')}`,
        faults: [
          ...faults.map(({ kind, entrypoint, resolutionKind }) => `${entrypoint}: ${kind} (${resolutionKind})`),
          ...(typed > 1 ? [] : ['It found no entries.']),
          ...expectFound('an entry without code and types', wrong.problems.some(isFault)),
        ],
      }
    }),
}

/** These entries are ES modules only: vitest is one, and a bundler for pages takes both. */
const WITHOUT_COMMONJS = ['./browser', './vite', './vite/page', './vitest', './vitest/reporter']

/** Not a fault: CommonJS code loads those entries with `await import`, or requires them, which Node 20.19 and later can do. */
function isFault({ kind, entrypoint = '' }: Problem): boolean {
  return kind !== 'CJSResolvesToESM' || !WITHOUT_COMMONJS.includes(entrypoint)
}

async function analyse(tarball: string): Promise<Analysis> {
  const { stdout, output } = await runTool('attw', [tarball, '--format', 'json', '--exclude-entrypoints', UNTYPED])
  try {
    return (JSON.parse(stdout) as { analysis: Analysis }).analysis
  } catch {
    throw new Error(`are-the-types-wrong printed no report.\n${output}`)
  }
}
